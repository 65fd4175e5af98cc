import { printable } from '@archiefkast/system';
import { COLLECTIONS, type Kind } from '@archiefkast/types';

/** Faults that a message shows in full; of more it tells the number. */
const SHOWN = 50;

/** One thing that is wrong in a bundle. */
export interface Fault {
  file: string;
  /** Line in the file, from 1; absent when the fault is the file's. */
  line?: number;
  /** Cell, row or sheet of a workbook, `persons!F14`; absent in other forms. */
  cell?: string;
  field?: string;
  reason: string;
}

/** A bundle cannot be published. The message has a line `file:line: field: reason` for every fault shown. */
export class BundleError extends Error {
  override name = 'BundleError';
  /** The first faults, in the order found. */
  readonly faults: readonly Fault[];
  /** How many faults there are in all. */
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

/** Characters of a field and of a reason that a message shows: either may quote what the bundle holds. */
const LONGEST = 500;

/** `persons.jsonl:14: birth_date: reason`, or in a workbook `archive.xlsx: persons!F14 (birth_date): reason`. */
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

/** Collects the faults of a bundle: keeps the first, counts all. */
export class FaultList {
  readonly #faults: Fault[] = [];
  #count = 0;

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  add(fault: Fault): void {
    this.#count += 1;
    if (this.#faults.length < SHOWN) this.#faults.push(fault);
  }

  /** @throws BundleError when there is any fault */
  throwIfAny(): void {
    if (this.#count > 0) throw new BundleError(this.#faults, this.#count);
  }
}

/** Where something stands in a bundle, as whoever made the bundle sees it. */
export type Origin = Omit<Fault, 'reason'>;

/** Names the origins of a bundle's records: lines of files, or rows and cells of tables. */
export interface Origins {
  /** The file or sheet with a kind's records. */
  fileOf(kind: Kind): string;
  /**
   * Where a record stands, or one of its fields.
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

/** Where something stands, as text: `persons.jsonl:14`, or `archive.xlsx: persons!F14`. */
export function describeOrigin({ file, line, cell }: Origin): string {
  if (cell !== undefined) return `${file}: ${cell}`;
  return line === undefined ? file : `${file}:${line}`;
}
