import { TEXT_COLUMNS } from './index-file.ts';
import type { Posting } from './postings.ts';
import { CHUNK_RECORDS, listStored } from './record-set.ts';
import { VarintReader } from './varints.ts';

const COLUMNS = TEXT_COLUMNS.length;

/** The column of names. */
export const NAME = TEXT_COLUMNS.findIndex(({ name }) => name === 'name');

/**
 * Reads how often records have a word, in order. For each record, that is twice the count if all are in the first column; otherwise
 * twice a mask of the columns, plus 1, and the count in each of these.
 */
export class PostingCursor {
  /** The number of the record in the chunk. */
  record = 0;
  /** How often the record has the word, in all columns. */
  count = 0;
  /** Number of records. */
  length = 0;
  readonly #records = new Uint16Array(CHUNK_RECORDS);
  #at = 0;
  readonly #codes = new VarintReader();
  /** How often the record has the word, for the columns in `#mask`. */
  readonly #counts = new Uint32Array(COLUMNS);
  #mask = 0;

  /** Starts reading another posting. */
  open({ records, counts }: Posting): this {
    this.length = listStored(records, this.#records);
    this.#at = 0;
    this.#codes.open(counts);
    return this;
  }

  /** Reads the next record. @returns false at the end */
  next(): boolean {
    if (this.#at === this.length) return false;
    this.record = this.#records[this.#at++] ?? 0;
    const code = this.#codes.read();
    if ((code & 1) === 0) {
      this.#mask = 1;
      this.count = code >> 1;
      this.#counts[0] = this.count;
      return true;
    }
    this.#mask = code >> 1;
    this.count = 0;
    for (let column = 0; column < COLUMNS; column++) {
      if (((this.#mask >> column) & 1) === 0) continue;
      const count = this.#codes.read();
      this.#counts[column] = count;
      this.count += count;
    }
    return true;
  }

  /** Whether the record has the word in the first column alone, as most have. */
  get isInFirstOnly(): boolean {
    return this.#mask === 1;
  }

  /** How often the record has the word in a column. */
  countIn(column: number): number {
    return ((this.#mask >> column) & 1) === 0 ? 0 : (this.#counts[column] ?? 0);
  }

  /** Writes the column of each place of the record into a list. */
  fillColumns(into: Uint8Array, start: number): void {
    let at = start;
    for (let column = 0; column < COLUMNS; column++) {
      for (let left = this.countIn(column); left > 0; left--) into[at++] = column;
    }
  }

  /** How often the record has the word, with a weight for each column. */
  weigh(weights: Uint32Array): number {
    if (this.isInFirstOnly) return this.count * (weights[0] ?? 0);
    let weighed = 0;
    for (let column = 0; column < COLUMNS; column++) weighed += this.countIn(column) * (weights[column] ?? 0);
    return weighed;
  }
}
