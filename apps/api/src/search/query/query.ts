import type { Kind, Language } from '@archiefkast/types';
import type { SearchField } from '../fields/search-fields.ts';

/** Fewest letters of the start of a word, before a `*`. */
export const SHORTEST_START = 3;

/** A range of days, inclusive, as numbers YYYYMMDD. */
export interface DateRange {
  from: number;
  to: number;
}

export interface Circle {
  latitude: number;
  longitude: number;
  metres: number;
}

/** A box between two parallels and two meridians; it crosses the date line if `west` is greater than `east`. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

export type Clause =
  /** The field's value contains `value` (folded), or with `whole` equals it. */
  | { type: 'value'; field: string; value: string; whole?: true }
  /** The field's date is in the range. */
  | { type: 'range'; field: string; range: DateRange }
  /** The record refers to the one with this uuid or id, or is referenced by it, depending on the field. */
  | { type: 'reference'; field: string; record: string }
  /** The record is of the kind. */
  | { type: 'kind'; kind: Kind }
  /** The location is in the circle; nearer ones score higher. */
  | { type: 'near'; circle: Circle }
  /** The location is in the box. */
  | { type: 'within'; box: Box }
  /** The record is a location with `value` (folded) in its name or address, an event there, or a person born or died there. */
  | { type: 'place'; value: string; whole?: true }
  /** The record's name in a language equals `name` (folded), or unless `isExact` has the same letters and digits. */
  | { type: 'name'; name: string; isExact: boolean }
  /** The record is an event, and its location meets the condition. */
  | { type: 'at-location'; clause: Clause }
  /** The field's text contains all phrases; a phrase is one or more consecutive words. */
  | { type: 'words'; field: string; phrases: string[] }
  /**
   * The record's text contains all phrases; a final `*` stands for the rest of a word, `|` separates alternatives, and `j^p^` are
   * initials in its name. `typed` is the folded input;
   * records with that name come first.
   */
  | { type: 'text'; phrases: string[]; typed: string }
  /** The record meets at least one of the conditions. */
  | { type: 'any'; clauses: Clause[] };

/** A clause of a field, a word or a phrase, as it stands in a query. */
export interface Term {
  /** Offsets in the query, including a preceding `-`. */
  start: number;
  end: number;
  isExcluded: boolean;
  /** Absent for free words. */
  field?: SearchField;
  /** Absent for words without letters and digits. */
  clause?: Clause;
  /** Free words as typed. */
  typed: string;
}

/** An order of hits, instead of by score. */
export type Order = `name_${Language}` | 'date' | '-date' | 'id';

/** A parsed query: plain data, which can be sent to another thread. */
export interface Query {
  /** Conditions that must all be met; without any, all records are hits with score 1. */
  clauses: Clause[];
  /** Conditions of which none may be met. */
  excluded: Clause[];
  /** Absent to sort by score. */
  order?: Order;
}

export const ALL_RECORDS: Query = { clauses: [], excluded: [] };

/** Syntax of other search engines that this one lacks. */
export type ForeignUse = 'wildcard' | 'bracket' | 'fuzzy' | 'expression' | 'colon' | 'quote' | 'operator';

/** The faults of values that do not have the form of their field. */
export type MalformedValue =
  | `malformed-${'id' | 'uuid' | 'date' | 'range' | 'century' | 'circle' | 'box' | 'reference'}`
  | 'inverted-range';

/** The fault of a query, as data that can be worded in any language. */
export type QueryFault =
  | { reason: 'empty-query' }
  | { reason: 'too-long'; characters: number; limit: number }
  | { reason: 'too-many-clauses'; limit: number }
  | { reason: 'too-many-starts'; limit: number }
  | { reason: 'unknown-field'; field: string; nearest: string | undefined; fields: readonly string[] }
  | { reason: 'empty-value'; field: string }
  | { reason: 'unknown-kind'; value: string; kinds: readonly string[] }
  | { reason: 'other-kind'; field: string; kinds: readonly Kind[]; kind: Kind }
  | { reason: 'kinds-apart'; fields: readonly string[] }
  | { reason: 'several-values'; field: string; values: readonly string[] }
  | { reason: 'contradiction'; text: string }
  | { reason: 'misplaced-operator'; operators: string }
  | { reason: 'foreign-syntax'; text: string; use: ForeignUse }
  | { reason: 'excluded-alternative' }
  | { reason: 'unknown-value'; field: string; value: string; values: readonly string[] }
  | { reason: MalformedValue; field: string; value: string }
  | { reason: 'nothing-searchable'; value: string };

/** A text in the place of a part of a query. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

/** The fault of a term: `parseTerms` makes a QueryError of all those of a query. */
export class TermFault extends Error {
  override readonly name = 'TermFault';
  readonly fault: QueryFault;
  /** Changes of which each mends the fault, the likeliest first. */
  readonly changes: readonly Change[];

  constructor(fault: QueryFault, changes: readonly Change[] = []) {
    super(`q: ${fault.reason}`);
    this.fault = fault;
    this.changes = changes;
  }
}

/**
 * An invalid query. The message is for logs; users see the problem that it is converted to.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly fault: QueryFault;
  /** The nearest queries without this fault, the likeliest first: from `parseQuery`, valid ones. */
  readonly corrections: readonly string[];

  constructor(fault: QueryFault, corrections: readonly string[] = []) {
    const { reason, ...facts } = fault;
    super(`q: ${reason} ${JSON.stringify(facts)}`);
    this.fault = fault;
    this.corrections = corrections;
  }
}
