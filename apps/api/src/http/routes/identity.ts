import { COLLECTIONS, isUuid, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import { Problem } from '../problems.ts';
import { HTML, type Route, type RouteDependencies } from '../route.ts';

/** The address of a record that stays, whatever shows it: it leads to its page in the language of the reader, or without pages to its JSON. */
export function identityRoute({ queries, hasPages }: RouteDependencies): Route {
  return {
    path: '/id/:uuid',
    atRoot: true,
    name: 'Address of a record',
    description:
      'The address by which others name a record; it leads to the page of the record, in the language of the reader.',
    content: { contentType: HTML },
    parameters: [],
    dependsOn: 'state',
    async handle({ segment, preferredLanguage, open: { edition } }) {
      const uuid = segment('uuid').toLowerCase();
      for (const kind of isUuid(uuid) ? KINDS : []) {
        if ((await queries.findPosition(edition.id, kind, uuid)) === undefined) continue;
        const path = hasPages ? `${PAGE_SEGMENTS[kind]}/${uuid}/` : `api/${COLLECTIONS[kind]}/${uuid}`;
        return { location: `../${preferredLanguage}/${path}`, status: 303 };
      }
      throw new Problem('not-found', `No record with UUID ${uuid}.`, 'the UUID of a record');
    },
  };
}
