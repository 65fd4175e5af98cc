import type { Facets, Language } from '@archiefkast/types';
import { createNarrowing, FACETS, type FacetName, facetLabel, type Query } from '../search/index.ts';
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
  const narrow = createNarrowing(q, query);
  const facets: Facets['facets'] = {};
  for (const { facet, values } of found) {
    facets[facet] = values.map((counted) => ({
      value: counted.value,
      label: facetLabel(facet, counted, language),
      count: counted.count,
      q: narrow(facet, counted.value),
    }));
  }
  return { count, facets };
}

/** Parses a list of facet names into a fixed order without duplicates; `""` means all facets. */
export function facetsNamed(names: string): FacetName[] {
  if (names === '') return [...FACETS];
  const listed = names.split(',');
  return FACETS.filter((facet) => listed.includes(facet));
}
