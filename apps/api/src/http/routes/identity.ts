import { graphOf, LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { linksOf } from '@archiefkast/site/kinds';
import { COLLECTIONS, isUuid, KINDS, PAGE_SEGMENTS } from '@archiefkast/types';
import { missingRecord } from '../missing-record.ts';
import {
  type ArchiveRequest,
  HTML,
  type NegotiatedRequest,
  type Redirect,
  type Route,
  type RouteDependencies,
} from '../route.ts';
import { nodeAt, type OpenPageReader } from './pages/page-data.ts';

/** The endings of addresses of linked data. */
export const LINKED_NAMES = ['jsonld', 'ttl', 'nt'] as const satisfies (keyof typeof LINKED_FORMS)[];

/**
 * Where a client that prefers linked data to HTML is led.
 *
 * @param name the address of the linked data without its ending, relative to the request
 */
export function linkedDataOf({ accepts, parameters }: NegotiatedRequest, name: string): Redirect | undefined {
  const types = LINKED_NAMES.map((form) => LINKED_FORMS[form].contentType);
  const chosen = accepts(['text/html', ...types]);
  const form = LINKED_NAMES.find((each) => LINKED_FORMS[each].contentType === chosen);
  if (form === undefined) return undefined;
  const edition = parameters.get('edition');
  const query = edition === null ? '' : `?edition=${edition}`;
  return { location: `${name}.${form}${query}`, status: 303 };
}

/**
 * The address that names a record, in every language and edition: it leads to the page of the record in the language of the
 * reader, without pages to its JSON, and for clients that prefer it to linked data. And the linked data.
 */
export function identityRoutes(dependencies: RouteDependencies, openReader: OpenPageReader): Route[] {
  const { baseUrl, queries, hasPages } = dependencies;
  const missing = (request: ArchiveRequest, ending = '') =>
    missingRecord(dependencies, request, undefined, ({ uuid }) => uuid + ending);
  const address: Omit<Route, 'path' | 'content' | 'handle'> = {
    atRoot: true,
    name: 'Address of a record',
    description: 'The address that names a record, and its linked data.',
    parameters: ['edition'],
  };
  return [
    ...LINKED_NAMES.map((form): Route => {
      const { contentType, write } = LINKED_FORMS[form];
      return {
        ...address,
        path: `/id/:uuid.${form}`,
        content: { contentType },
        async handle(request) {
          const { segment, open } = request;
          const uuid = segment('uuid').toLowerCase();
          const reader = openReader(open, 'en');
          for (const kind of isUuid(uuid) ? KINDS : []) {
            const found = await reader.readByUuid(kind, uuid);
            if (!found) continue;
            const links = await reader.look((look) => linksOf(nodeAt(look, kind, found.position)));
            const licence = open.edition.archive?.licence?.url;
            return { body: [write(graphOf(found.record, links, { baseUrl, licence }))] };
          }
          throw await missing(request, `.${form}`);
        },
      };
    }),
    {
      ...address,
      path: '/id/:uuid',
      content: { contentType: HTML },
      dependsOn: 'state',
      async handle(request) {
        const { segment, preferredLanguage, open } = request;
        const uuid = segment('uuid').toLowerCase();
        for (const kind of isUuid(uuid) ? KINDS : []) {
          if ((await queries.findPosition(open.edition.id, kind, uuid)) === undefined) continue;
          const path = hasPages ? `${PAGE_SEGMENTS[kind]}/${uuid}/` : `api/${COLLECTIONS[kind]}/${uuid}`;
          return (
            linkedDataOf(request, `../id/${uuid}`) ?? {
              location: `../${preferredLanguage}/${path}`,
              status: 303,
            }
          );
        }
        throw await missing(request);
      },
    },
  ];
}
