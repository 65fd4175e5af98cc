import { COLLECTIONS, type Kind, listUrl } from '@archive/types';
import { listPlaces } from '../../archive/places.ts';
import { listAnswer, pageRange } from '../envelope.ts';
import { pageSchemas } from './page-schemas.ts';
import { type ArchiveRoute, jsonContent, type RouteDependencies } from './route.ts';

/** The list of a kind. */
export function listRoute(kind: Kind, { reader, baseUrl }: RouteDependencies): ArchiveRoute {
  return {
    path: `/api/${COLLECTIONS[kind]}`,
    name: `List of ${COLLECTIONS[kind]}`,
    description: `All ${COLLECTIONS[kind]}, by id, ten on a page.`,
    group: 'Records',
    kind,
    content: jsonContent(pageSchemas[kind]),
    parameters: ['edition', 'format', 'page'],
    async answer({ language, parameters, open: { edition } }) {
      const count = edition.counts[kind];
      const places = listPlaces(kind, pageRange(parameters, count));
      const results = await reader.read(edition, language, places);
      const url = listUrl(baseUrl, language, kind);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}
