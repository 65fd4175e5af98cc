import type { DatabaseSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';

/** Where the records of a kind are among all. */
export interface DocSpan {
  kind: Kind;
  /** The document number of the first record. */
  start: number;
  records: number;
}

/**
 * Every record as one number, from 0: kind after kind in the order of search, in each by position. Records of equal
 * score are given in this order.
 */
export class DocNumbers {
  readonly spans: readonly DocSpan[];
  /** Records of all kinds. */
  readonly total: number;

  /** @param counts the number of records of each kind */
  constructor(counts: ReadonlyMap<string, number>) {
    let start = 0;
    this.spans = KINDS.map((kind) => {
      const records = counts.get(kind) ?? 0;
      start += records;
      return { kind, start: start - records, records };
    });
    this.total = start;
  }

  /** Where the records of a kind are. */
  spanOf(kind: Kind): DocSpan {
    return this.spans[KINDS.indexOf(kind)] ?? { kind, start: 0, records: 0 };
  }

  /** The document number of a record, by its place among those of its kind, from 0. */
  docOf(kind: Kind, row: number): number {
    return this.spanOf(kind).start + row;
  }

  /** The record that a document number stands for. */
  recordOf(doc: number): { kind: Kind; position: number } {
    const span = this.spans.find(({ start, records }) => doc >= start && doc < start + records);
    if (!span) throw new RangeError(`document number ${doc}: expected one below ${this.total}`);
    return { kind: span.kind, position: doc - span.start + 1 };
  }
}

/** The document numbers of the records of an index. */
export function readDocNumbers(database: DatabaseSync): DocNumbers {
  const kinds = database.prepare('SELECT name, records FROM kind').all();
  return new DocNumbers(new Map(kinds.map((row) => [String(row['name']), Number(row['records'])])));
}
