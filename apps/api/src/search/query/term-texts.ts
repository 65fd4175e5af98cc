import type { Term } from './query.ts';
import { QUOTE, QUOTES } from './query-reader.ts';

/** Whether alternatives have a field: a reader can remove them. */
export function isCondition(terms: readonly Term[]): boolean {
  return terms.some(({ field }) => field);
}

const STARTS_WITH_QUOTE = new RegExp(`^(?:NOT\\b|\\p{Pd}|[!−])?\\s*(?:[a-z_]+\\s*:=?\\s*)?[${QUOTES}]`, 'iu');

/** The text of alternatives; an unclosed quote is closed, so that more can follow. */
export function textOf(q: string, terms: readonly Term[]): string {
  const [first, last] = [terms.at(0), terms.at(-1)];
  if (!first || !last) return '';
  const isOpen =
    STARTS_WITH_QUOTE.test(q.slice(last.start, last.end)) &&
    q.slice(last.start, last.end).match(QUOTE)?.length === 1;
  return q.slice(first.start, last.end) + (isOpen ? '"' : '');
}

/** A query of these terms: free words come first, so that no value of a field takes them in. */
export function join(q: string, groups: readonly Term[][]): string {
  const ordered = groups.toSorted((a, b) => Number(isCondition(a)) - Number(isCondition(b)));
  return ordered.map((terms) => textOf(q, terms)).join(' ');
}
