import {
  COLLECTIONS,
  isUuid,
  type Kind,
  recordPage,
  recordSchemas,
  selectedRecordSchemas,
} from '@archiefkast/types';
import { noSuchRecord } from '../problems/not-found.ts';
import { canonicalUrl } from '../request/parameters.ts';
import { readRecords } from './read-records.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from './route.ts';

/** A single record of a kind. */
export function detailRoute(kind: Kind, dependencies: RouteDependencies): ArchiveRoute {
  const { queries, baseUrl } = dependencies;
  return {
    path: `/api/${COLLECTIONS[kind]}/:uuid`,
    name: `One ${kind}`,
    description: `A single ${kind}, as in the list.`,
    group: 'Records',
    kind,
    content: jsonContent(recordSchemas[kind], selectedRecordSchemas[kind]),
    parameters: ['edition', 'fields', 'format'],
    async answer(request) {
      const { language, parameters, segment, open } = request;
      const { edition } = open;
      const uuid = segment('uuid');
      const position = isUuid(uuid)
        ? await queries.findPosition(edition.id, kind, uuid.toLowerCase())
        : undefined;
      if (position === undefined) throw noSuchRecord(kind, uuid);
      const records = await readRecords(dependencies, request, [kind], [{ kind, position }]);
      const page = recordPage(baseUrl, language, kind, uuid.toLowerCase());
      const alternate = canonicalUrl(
        page,
        [...parameters].filter(([name]) => name === 'edition'),
      );
      return { ...json(records.flat()), links: { alternate } };
    },
  };
}
