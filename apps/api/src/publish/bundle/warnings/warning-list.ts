import type { Kind } from '@archiefkast/types';
import type { Fault, Origins } from '../faults.ts';

/** Warning codes, and what each means. */
export const WARNINGS = {
  'no-name': 'records without a name',
  'dates-reversed': 'end dates before start dates',
  'footnote-missing': 'footnote marks without a footnote',
  script: 'scripts in HTML',
  'too-much-markup': 'texts shown as plain text on pages',
  'image-rights': 'images without credit or licence',
  'image-address': 'images without a URL',
  'same-name': 'duplicate names',
  'coordinates-zero': 'coordinates at 0,0',
  'coordinates-swapped': 'latitude and longitude possibly swapped',
  formula: 'texts that a spreadsheet may evaluate as formulas',
  'no-english': 'records without an English translation',
} as const;

/** The code of a warning. */
export type WarningCode = keyof typeof WARNINGS;

/** A possible mistake in a bundle, which does not stop a publish. */
export interface Warning extends Fault {
  code: WarningCode;
}

/** Maximum number of warnings shown per code; further ones are only counted. */
const SHOWN = 5;

/** Collects the warnings of a bundle: keeps the first five of each code, counts all. */
export class WarningList {
  readonly #origins: Origins;
  readonly #shown: Warning[] = [];
  readonly #counts = new Map<WarningCode, number>();

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  add(code: WarningCode, kind: Kind, line: number, field: string | undefined, reason: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= SHOWN) this.#shown.push({ code, ...this.#origins.at(kind, line, field), reason });
  }

  /** The first warnings of each code, in the order in which they were found. */
  get shown(): readonly Warning[] {
    return this.#shown;
  }

  /** Number of warnings per code. */
  get counts(): ReadonlyMap<WarningCode, number> {
    return this.#counts;
  }

  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Number of warnings of a code that are not shown. */
  hidden(code: WarningCode): number {
    return Math.max(0, (this.#counts.get(code) ?? 0) - SHOWN);
  }
}
