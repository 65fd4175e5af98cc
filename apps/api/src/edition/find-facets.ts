import type { Facets, Language } from '@archiefkast/types';
import {
  FACETS,
  type FacetName,
  facetLabel,
  narrowedQuery,
  parseQuery,
  type Query,
  QueryError,
} from '../search/index.ts';
import type { OpenEdition } from './open-editions.ts';

/** Limit of the values per facet. */
export const MOST_FACET_VALUES = 20;

/**
 * Counts the records that match a query, in total and by the most frequent values of facets.
 *
 * @param q the query as typed; `""` for all records
 * @throws SearchTimeout if the search exceeds its time limit
 */
export async function findFacets(
  { search }: OpenEdition,
  { q, query }: { q: string; query: Query },
  of: readonly FacetName[],
  language: Language,
  signal?: AbortSignal,
): Promise<Facets> {
  const { count, facets: found } = await search.ask((index) =>
    index.facets(query, of, language, MOST_FACET_VALUES, signal),
  );
  const facets: Facets['facets'] = {};
  for (const { facet, values } of found) {
    facets[facet] = values.map((counted) => ({
      value: counted.value,
      label: facetLabel(facet, counted, language),
      count: counted.count,
      q: narrow(q, query, narrowedQuery(q, facet, counted.value)),
    }));
  }
  return { count, facets };
}

/**
 * The narrowed query, or the query itself if it demands the value already; null if the narrowed query would be too long
 * or would mean something else: with `kind:event`, fields of locations are those of the event's location.
 */
function narrow(q: string, query: Query, narrowed: string | undefined): string | null {
  const parsed = narrowed === undefined ? undefined : parseIfValid(narrowed);
  if (narrowed === undefined || !parsed) return null;
  const [added = '', ...kept] = parsed.clauses.map((clause) => JSON.stringify(clause));
  const own = query.clauses.map((clause) => JSON.stringify(clause));
  if (own.includes(added)) return q;
  const isExact =
    `${kept}` === `${own}` && JSON.stringify(parsed.excluded) === JSON.stringify(query.excluded);
  return isExact ? narrowed : null;
}

function parseIfValid(q: string): Query | undefined {
  try {
    return parseQuery(q);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** Parses a list of facet names into a fixed order without duplicates; `""` means all facets. */
export function facetsNamed(names: string): FacetName[] {
  if (names === '') return [...FACETS];
  const listed = names.split(',');
  return FACETS.filter((facet) => listed.includes(facet));
}
