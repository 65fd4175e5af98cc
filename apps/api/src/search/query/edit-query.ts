import { parseTerms } from './parse-query.ts';
import type { Clause } from './query.ts';
import { QUOTE } from './query-reader.ts';
import { isCondition, join, textOf } from './term-texts.ts';

/** A condition of a query with one or more fields, which a reader can remove. */
export interface Condition {
  /** As it stands in the query. */
  text: string;
  /** Its clause; absent for alternatives and exclusions. */
  clause?: Clause;
  /** The query without it. */
  without: string;
}

/**
 * The conditions of a query, in order; free words are none.
 *
 * @throws QueryError if the query is invalid
 */
export function conditionsOf(q: string): Condition[] {
  const groups = parseTerms(q);
  return groups.filter(isCondition).map((terms) => {
    const [term] = terms;
    const isPlain = terms.length === 1 && term?.clause && !term.isExcluded;
    return {
      text: textOf(q, terms),
      ...(isPlain && { clause: term.clause }),
      without: join(
        q,
        groups.filter((each) => each !== terms),
      ),
    };
  });
}

/** Whether a query has free words only, none excluded, and no alternatives. */
export function isFreeText(q: string): boolean {
  return parseTerms(q).every((terms) => terms.length === 1 && !isCondition(terms) && !terms[0]?.isExcluded);
}

/** The date fields for which a reader can choose a range. */
export const DATE_FIELDS = ['birth_date', 'death_date', 'date'] as const;

export type DateField = (typeof DATE_FIELDS)[number];

/** A range of dates of a field, as typed; an open side is empty. */
export interface TypedRange {
  field: DateField;
  from: string;
  to: string;
}

/** The first range of dates in a query. @throws QueryError if the query is invalid */
export function rangeOf(q: string): TypedRange | undefined {
  for (const { clause } of conditionsOf(q)) {
    if (clause?.type !== 'range') continue;
    const field = DATE_FIELDS.find((each) => each === clause.field);
    if (field) return { field, from: dateOf(clause.range.from), to: dateOf(clause.range.to) };
  }
  return undefined;
}

/** The query with a range of dates in the place of one of the same field; without it, if both sides are empty. */
export function withRange(q: string, { field, from, to }: TypedRange): string {
  const earlier = conditionsOf(q).find(({ clause }) => clause?.type === 'range' && clause.field === field);
  const rest = earlier?.without ?? q;
  const range = `${from}..${to}`.replace(QUOTE, '');
  if (range === '..') return rest;
  return `${field}:${/\s/.test(range) ? `"${range}"` : range} ${rest}`.trim();
}

/** A day YYYYMMDD as `1620`, `1620-03` or `1620-03-01`; month and day may be fillers. That of an open side is empty. */
function dateOf(day: number): string {
  if (day === 0 || day === 9999_99_99) return '';
  const digits = String(day).padStart(8, '0');
  const parts = [digits.slice(4, 6), digits.slice(6)].filter((part) => part !== '00' && part !== '99');
  return [digits.slice(0, 4), ...parts].join('-');
}
