import type { Output } from '@archiefkast/system';
import { describeFault } from '../publish/bundle/faults.ts';
import { WARNINGS, type WarningCode, type WarningList } from '../publish/bundle/warning-list.ts';

/** Prints the first warnings of each type, and the number of the rest. */
export function printWarnings(warnings: WarningList, output: Output): void {
  for (const [code, count] of warnings.counts) {
    for (const warning of warnings.shown) {
      if (warning.code === code) output.write(`warning: ${describeFault(warning)}\n`);
    }
    const hidden = warnings.hidden(code);
    if (hidden > 0) output.write(`warning: … and ${hidden} more: ${WARNINGS[code]} (${count} in all)\n`);
  }
}

/** "3 warnings", or "no warnings". */
export function countWarnings({ count }: Pick<WarningList, 'count'>): string {
  return count === 0 ? 'no warnings' : count === 1 ? '1 warning' : `${count} warnings`;
}

/** The counts of warnings as an object, for JSON. */
export function warningCounts(warnings: WarningList): Partial<Record<WarningCode, number>> {
  return Object.fromEntries(warnings.counts);
}
