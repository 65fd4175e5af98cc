import type { Kind, Language } from '@archiefkast/types';

/** Days from `from` to `to`, both included, each written as the number YYYYMMDD. */
export interface DateRange {
  from: number;
  to: number;
}

/** What lies within so many metres of a point. */
export interface Circle {
  latitude: number;
  longitude: number;
  metres: number;
}

/** What lies between two parallels and two meridians; across the date line where `west` is more than `east`. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** One condition of a query. */
export type Clause =
  /** The field's value contains `value` (folded), or is it. */
  | { type: 'value'; field: string; value: string; whole?: true }
  /** The field's date lies in the range. */
  | { type: 'range'; field: string; range: DateRange }
  /** The record names the one with this uuid or id, or is named by it, as the field has it. */
  | { type: 'reference'; field: string; record: string }
  /** The record is of the kind. */
  | { type: 'kind'; kind: Kind }
  /** The record lies in the circle; nearer ones match better. */
  | { type: 'near'; circle: Circle }
  /** The location lies in the box; or, of events, their location does. */
  | { type: 'within'; box: Box; of?: 'location' | 'event' }
  /** The field's text holds all phrases; a phrase is one word or several that follow one another. */
  | { type: 'words'; field: string; phrases: string[] }
  /**
   * The record's text holds all phrases. `typed` is all of it as it was typed, folded: a record that is called so
   * comes first.
   */
  | { type: 'text'; phrases: string[]; typed: string };

/** An order of hits other than by score. */
export type Order = `name_${Language}` | 'date' | '-date' | 'id';

/** What is asked. Plain data, which may be sent to another thread. */
export interface Query {
  /** All of them hold; without any, all records are hits, with the score 1. */
  clauses: Clause[];
  /** None of them holds. */
  excluded: Clause[];
  /** Absent where hits come by score. */
  order?: Order;
}

/** Asks for all records. */
export const ALL_RECORDS: Query = { clauses: [], excluded: [] };

/** What is wrong with a query, in a form that can be worded in any language. */
export type QueryFault =
  | { reason: 'empty-query' }
  | { reason: 'too-long'; characters: number; limit: number }
  | { reason: 'too-many-clauses'; limit: number }
  | { reason: 'unknown-field'; field: string; nearest: string | undefined; fields: readonly string[] }
  | { reason: 'empty-value'; field: string }
  | { reason: 'unknown-kind'; value: string; kinds: readonly string[] }
  | { reason: 'malformed-range'; field: string; value: string }
  | { reason: 'inverted-range'; field: string; value: string }
  | { reason: 'unknown-value'; field: string; value: string; values: readonly string[] }
  | { reason: 'malformed-century'; field: string; value: string }
  | { reason: 'malformed-circle'; field: string; value: string }
  | { reason: 'malformed-box'; field: string; value: string }
  | { reason: 'malformed-reference'; field: string; value: string }
  | { reason: 'nothing-searchable'; value: string };

/**
 * A query that cannot be answered as it stands: the one who asked has to change it. Its message is for a log; the
 * sentences that people read are those of the problem that it becomes.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly fault: QueryFault;

  constructor(fault: QueryFault) {
    const { reason, ...facts } = fault;
    super(`q: ${reason} ${JSON.stringify(facts)}`);
    this.fault = fault;
  }
}
