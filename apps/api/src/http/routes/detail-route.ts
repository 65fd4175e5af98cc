import { COLLECTIONS, isUuid, type Kind, recordPage, recordSchemas } from '@archive/types';
import { Problem } from '../problems.ts';
import { type ArchiveRoute, json, jsonContent, type RouteDependencies } from './route.ts';

/** A single record of a kind. */
export function detailRoute(kind: Kind, { reader, queries, baseUrl }: RouteDependencies): ArchiveRoute {
  return {
    path: `/api/${COLLECTIONS[kind]}/:uuid`,
    name: `One ${kind}`,
    description: `A single ${kind}, as in the list.`,
    group: 'Records',
    kind,
    content: jsonContent(recordSchemas[kind]),
    parameters: ['edition', 'format'],
    async answer({ language, segment, open: { edition } }) {
      const uuid = segment('uuid');
      const position = isUuid(uuid)
        ? await queries.findPosition(edition.id, kind, uuid.toLowerCase())
        : undefined;
      if (position === undefined) throw noSuchRecord(kind, uuid);
      const records = await reader.read(edition, language, [{ kind, position }]);
      const alternate = recordPage(baseUrl, language, kind, uuid.toLowerCase());
      return { ...json(records.flat()), links: { alternate } };
    },
  };
}

const DUTCH: Record<Kind, string> = {
  person: 'persoon',
  subject: 'onderwerp',
  location: 'locatie',
  event: 'gebeurtenis',
};

function noSuchRecord(kind: Kind, uuid: string): Problem {
  return new Problem(
    'not-found',
    { en: `There is no ${kind} ${uuid}.`, nl: `Er is geen ${DUTCH[kind]} ${uuid}.` },
    { en: `the uuid of a ${kind}`, nl: `de uuid van een ${DUTCH[kind]}` },
  );
}
