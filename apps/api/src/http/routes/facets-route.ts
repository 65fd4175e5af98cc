import { facetsSchema } from '@archiefkast/types';
import { facetsNamed, findFacets } from '../../read/find-facets.ts';
import { ALL_RECORDS } from '../../search/index.ts';
import { parseSearch } from '../problems/search-problem.ts';
import { type ArchiveRoute, json, jsonContent } from './route.ts';

/** The values that the hits of a query have, with how many have each. */
export function facetsRoute(): ArchiveRoute {
  return {
    path: '/api/facets',
    name: 'Facets',
    description:
      'How many records match, by kind, century, city, subject and gender: of each at most twenty values, those of most records first, with the query that finds exactly these.',
    group: 'Search',
    content: jsonContent(facetsSchema),
    parameters: ['edition', 'of', 'q'],
    async answer({ language, parameters, open, signal }) {
      const of = facetsNamed(parameters.get('of') ?? '');
      const q = parameters.get('q') ?? '';
      const query = q === '' ? ALL_RECORDS : parseSearch(q);
      const facets = await findFacets(open, { q, query }, of, language, signal);
      return json([JSON.stringify(facets)]);
    },
  };
}
