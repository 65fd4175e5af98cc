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

/** Values of a facet at most. */
export const MOST_FACET_VALUES = 20;

/**
 * How many records match a query, and the values that most of them have.
 *
 * @param q the query as it was typed; `""` for all records
 * @throws SearchTimeout when it takes too long
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
      q: takenQuery(narrowedQuery(q, facet, counted.value)),
    }));
  }
  return { count, facets };
}

/** The query, where search takes it: with one clause more it may be too long. */
function takenQuery(q: string | undefined): string | null {
  try {
    if (q !== undefined) parseQuery(q);
    return q ?? null;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** The facets that a list of their names asks for, in one order and each once; `""` asks for all of them. */
export function facetsNamed(names: string): FacetName[] {
  if (names === '') return [...FACETS];
  const listed = names.split(',');
  return FACETS.filter((facet) => listed.includes(facet));
}
