import { COLLECTIONS, type Kind } from '@archiefkast/types';
import type { Fault } from './faults.ts';

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
