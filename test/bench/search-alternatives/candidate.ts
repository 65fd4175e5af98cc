/** What a candidate finds: how many values match, and the rows (from 0) of the first ten. */
export interface Answer {
  count: number;
  first: number[];
}

/** A way to search, to be measured. */
export interface Candidate {
  name: string;
  /** Takes the values in, one per row from 0. */
  build(values: readonly string[]): Promise<void>;
  /** Count and first page. */
  answer(wanted: string): Promise<Answer>;
  /** Bytes on disk, or in memory where there is nothing on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Hits on a page. */
export const PAGE = 10;
