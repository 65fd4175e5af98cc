import type { Kind } from '@archive/types';

/** Days from `from` to `to`, both included, each written as the number YYYYMMDD. */
export interface DateRange {
  from: number;
  to: number;
}

/** One condition of a query. */
export type Clause =
  /** The field's value contains `value` (folded), or is it. */
  | { type: 'value'; field: string; value: string }
  /** The field's date lies in the range. */
  | { type: 'range'; field: string; range: DateRange }
  /** The record is of the kind. */
  | { type: 'kind'; kind: Kind }
  /**
   * The record's text holds all phrases; a phrase is one word or several that follow one another. `typed` is all of
   * it as it was typed, folded: a record that is called so comes first.
   */
  | { type: 'text'; phrases: string[]; typed: string };

/** What is asked: records for which all clauses hold. Plain data, which may be sent to another thread. */
export interface Query {
  clauses: Clause[];
}
