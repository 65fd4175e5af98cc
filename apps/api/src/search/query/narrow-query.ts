import { type FacetName, narrowedQuery } from '../fields/facets.ts';
import { searchField } from '../fields/search-fields.ts';
import { MAX_QUERY_LENGTH, parseTerms, queryOf } from './parse-query.ts';
import { parseClause } from './parse-value.ts';
import { type Clause, type Query, QueryError, type Term, TermFault } from './query.ts';
import { QueryReader } from './query-reader.ts';
import { hasName } from './written-names.ts';

/**
 * Narrows a valid query by values of facets. Its terms are read once for all values; once more if there are names among
 * them, since beside a name capitals can be initials.
 *
 * @param q the query as typed; `""` for all records
 * @param query the same, parsed
 * @returns the function that narrows it: to the query itself if it demands the value already; to null if the narrowed query
 *   would be invalid or mean something else: with `kind:event`, fields of locations are those of the event's location
 */
export function createNarrowing(q: string, query: Query): (facet: FacetName, value: string) => string | null {
  const own = query.clauses.map((clause) => JSON.stringify(clause));
  const excluded = JSON.stringify(query.excluded);
  const read = new Map<string, Term[][] | undefined>();
  /** The terms of the query after another one. */
  const termsAfter = (first: string): Term[][] | undefined => {
    if (!read.has(first))
      read.set(
        first,
        orNone(() => parseTerms(`${first} ${q}`).slice(1)),
      );
    return read.get(first);
  };
  return (facet, value) => {
    const narrowed = narrowedQuery(q, facet, value);
    const clause = clauseOf(facet, value);
    const groups = termsAfter(hasName(value) ? 'Id:"1"' : 'id:"1"');
    if (narrowed === undefined || narrowed.length > MAX_QUERY_LENGTH || !clause || !groups) return null;
    // An unquoted value would go on.
    if (/^\s*\.\./.test(q) && !narrowed.startsWith(`${facet}:"`) && facet !== 'city') return null;
    const field = searchField(facet);
    const term = { start: 0, end: 0, isExcluded: false, ...(field && { field }), clause, typed: '' };
    const parsed = orNone(() => queryOf(q, [[term], ...groups]));
    if (!parsed) return null;
    const [added = '', ...kept] = parsed.clauses.map((each) => JSON.stringify(each));
    if (own.includes(added)) return q;
    return `${kept}` === `${own}` && JSON.stringify(parsed.excluded) === excluded ? narrowed : null;
  };
}

/** The clause that demands a value of a facet; undefined if a query cannot express it. */
export function clauseOf(facet: FacetName, value: string): Clause | undefined {
  const field = searchField(facet);
  const reader = new QueryReader(narrowedQuery('', facet, value)?.slice(facet.length + 1) ?? '');
  const clause = field && orNone(() => parseClause(field, reader));
  return reader.atEnd() ? clause : undefined;
}

/** The result of reading a query; undefined if it is invalid. */
function orNone<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof QueryError || error instanceof TermFault) return undefined;
    throw error;
  }
}
