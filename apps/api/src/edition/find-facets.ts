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
import type { OpenEdition } from './follow-editions.ts';

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
  const { count, facets: found } = await search.facets(query, of, language, MOST_FACET_VALUES, signal);
  const facets: Facets['facets'] = {};
  for (const { facet, values } of found) {
    facets[facet] = values.map((counted) => ({
      value: counted.value,
      label: facetLabel(facet, counted, language),
      count: counted.count,
      q: validQuery(narrowedQuery(q, facet, counted.value)),
    }));
  }
  return { count, facets };
}

/** The query, or null if the added clause makes it too long. */
function validQuery(q: string | undefined): string | null {
  try {
    if (q !== undefined) parseQuery(q);
    return q ?? null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** Parses a list of facet names into a fixed order without duplicates; `""` means all facets. */
export function facetsNamed(names: string): FacetName[] {
  if (names === '') return [...FACETS];
  const listed = names.split(',');
  return FACETS.filter((facet) => listed.includes(facet));
}
