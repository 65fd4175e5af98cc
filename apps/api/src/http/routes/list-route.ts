import { COLLECTIONS, type Kind, listUrl } from '@archiefkast/types';
import { listPlaces } from '../../read/places.ts';
import { listAnswer, pageRange } from '../answer/envelope.ts';
import { pageSchemas, selectedPageSchemas } from './page-schemas.ts';
import { readRecords } from './read-records.ts';
import { type ArchiveRoute, jsonContent, type RouteDependencies } from './route.ts';

/** The list of a kind. */
export function listRoute(kind: Kind, dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: `/api/${COLLECTIONS[kind]}`,
    name: `List of ${COLLECTIONS[kind]}`,
    description: `All ${COLLECTIONS[kind]}, by id, ten on a page.`,
    group: 'Records',
    kind,
    content: jsonContent(pageSchemas[kind], selectedPageSchemas[kind]),
    parameters: ['edition', 'fields', 'format', 'page'],
    async answer(request) {
      const { language, parameters, open } = request;
      const { edition } = open;
      const count = edition.counts[kind];
      const places = listPlaces(kind, pageRange(parameters, count));
      const results = await readRecords(dependencies, request, [kind], places);
      const url = listUrl(dependencies.baseUrl, language, kind);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}
