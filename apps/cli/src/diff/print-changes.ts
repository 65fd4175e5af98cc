import { csvLine } from '@archive/types';
import type { CommandContext } from '../commands/command-context.ts';
import { fitTable, type TableColumn } from '../terminal/fit-table.ts';
import type { Change } from './diff-folders.ts';

/** The forms in which differences are printed. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

/** A form in which differences are printed. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A uuid stands below the title, so that a table fits 80 characters. */
const COLUMNS: readonly TableColumn[] = [
  { title: 'change' },
  { title: 'kind' },
  { title: 'title, uuid', least: 36 },
  { title: 'fields', least: 8 },
];

const CSV_HEADER = ['change', 'kind', 'uuid', 'title', 'fields'];

/** Prints differences to stdout, and how many there are to stderr. */
export function printChanges(
  { stdout, stderr, environment }: CommandContext,
  changes: readonly Change[],
  format: ReportFormat,
): void {
  if (format === 'json') stdout.write(`${JSON.stringify(changes, null, 2)}\n`);
  if (format === 'csv') {
    stdout.write([CSV_HEADER, ...changes.map(csvRow)].map(csvLine).join(''));
  }
  if (format === 'table' && changes.length > 0) {
    const color = stdout.isTTY === true && !environment['NO_COLOR'];
    stdout.write(fitTable(COLUMNS, changes.map(tableRow), stdout.columns ?? 120, color));
  }
  const count = (change: Change['change']) => changes.filter((one) => one.change === change).length;
  stderr.write(`${count('added')} added, ${count('changed')} changed, ${count('removed')} removed.\n`);
}

function tableRow({ change, kind, uuid, title, fields }: Change): string[] {
  return [change, kind, `${title}\n${uuid}`, fields.join(', ')];
}

function csvRow({ change, kind, uuid, title, fields }: Change): string[] {
  return [change, kind, uuid, title, fields.join('|')];
}
