import { printable } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types';

/** Maximum number of faults in a message; further ones are only counted. */
const SHOWN = 50;

/** One mistake in a bundle. */
export interface Fault {
  file: string;
  /** Line in the file, from 1; absent for a fault of the whole file. */
  line?: number;
  /** Cell, row or sheet of a workbook, such as `persons!F14`; absent in other formats. */
  cell?: string;
  field?: string;
  reason: string;
}

/** The bundle has faults. The message has a line `file:line: field: reason` for each of the first 50. */
export class BundleError extends Error {
  override name = 'BundleError';
  /** The first faults, in the order in which they were found. */
  readonly faults: readonly Fault[];
  /** Total number of faults. */
  readonly count: number;

  constructor(faults: readonly Fault[], count: number) {
    const more = count - faults.length;
    const lines = faults.map(describeFault);
    if (more > 0) lines.push(`… and ${more} more`);
    super(lines.join('\n'));
    this.faults = faults;
    this.count = count;
  }
}

/** Maximum length of a field and of a reason in a message: either may quote the bundle. */
const LONGEST = 500;

/** Formats a fault: `persons.jsonl:14: birth_date: reason`, or `archive.xlsx: persons!F14 (birth_date): reason`. */
export function describeFault({ file, line, cell, field, reason }: Fault): string {
  if (cell !== undefined) {
    const at = field ? `${cell} (${shorten(field)})` : cell;
    return printable([file, at, shorten(reason)].join(': '));
  }
  const at = line === undefined ? file : `${file}:${line}`;
  const parts = field ? [at, shorten(field), shorten(reason)] : [at, shorten(reason)];
  return printable(parts.join(': '));
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Collects the faults of a bundle: keeps the first 50, counts all. */
export class FaultList {
  readonly #faults: Fault[] = [];
  #count = 0;

  /** Number of faults. */
  get count(): number {
    return this.#count;
  }

  add(fault: Fault): void {
    this.#count += 1;
    if (this.#faults.length < SHOWN) this.#faults.push(fault);
  }

  /** @throws BundleError if there are any faults */
  throwIfAny(): void {
    if (this.#count > 0) throw new BundleError(this.#faults, this.#count);
  }
}

/** A location in a bundle as its author sees it: line, cell, row or sheet. */
export type Origin = Omit<Fault, 'reason'>;

/** Maps records to their origins: lines of files, or rows and cells of tables. */
export interface Origins {
  /** The file or sheet with a kind's records. */
  fileOf(kind: Kind): string;
  /**
   * The origin of a record, or of one of its fields.
   *
   * @param line of the record, from 1
   */
  at(kind: Kind, line: number, field?: string): Origin;
}

/** The name of the file with a kind's records. */
export function fileOf(kind: Kind): string {
  return `${COLLECTIONS[kind]}.jsonl`;
}

/** The origins of a bundle of JSON lines. */
export const LINE_ORIGINS: Origins = {
  fileOf,
  at: (kind, line, field) => ({ file: fileOf(kind), line, ...(field === undefined ? {} : { field }) }),
};

/** Formats an origin: `persons.jsonl:14`, or `archive.xlsx: persons!F14`. */
export function describeOrigin({ file, line, cell }: Origin): string {
  if (cell !== undefined) return `${file}: ${cell}`;
  return line === undefined ? file : `${file}:${line}`;
}
