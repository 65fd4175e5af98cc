import { KINDS, type Kind } from '@archive/types';

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

  /** The record that a document number stands for. */
  recordOf(doc: number): { kind: Kind; position: number } {
    const span = this.spans.find(({ start, records }) => doc >= start && doc < start + records);
    if (!span) throw new RangeError(`document number ${doc}: expected one below ${this.total}`);
    return { kind: span.kind, position: doc - span.start + 1 };
  }
}
