import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { COLLECTIONS, PAGE_SEGMENTS } from '@archiefkast/types';
import type { RecordKey } from '../../edition/record-keys.ts';
import { findRecord, missingRecord } from '../missing-record.ts';
import {
  type ArchiveRequest,
  HTML,
  type NegotiatedRequest,
  plainRoute,
  type Redirect,
  type Route,
  type RouteDependencies,
} from '../route.ts';
import type { GraphReader } from './linked-records.ts';

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
export function identityRoutes(dependencies: RouteDependencies, readGraphs: GraphReader): Route[] {
  /** The record of a request. @param ending that of the address @throws MovedPermanently or Problem if there is none */
  async function find(request: ArchiveRequest, ending = ''): Promise<RecordKey> {
    const found = await findRecord(dependencies, request, request.segment('uuid'));
    if (found) return found;
    throw await missingRecord(dependencies, request, undefined, ({ uuid }) => uuid + ending);
  }
  const route = (path: string, contentType: string, handle: Route['handle']): Route => ({
    ...plainRoute(path, 'Address of a record', contentType, handle),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...LINKED_NAMES.map((form) => {
      const { contentType, write } = LINKED_FORMS[form];
      return route(`/id/:uuid.${form}`, contentType, async (request) => ({
        body: (await readGraphs(request.open, [await find(request, `.${form}`)])).map(write),
      }));
    }),
    {
      ...route('/id/:uuid', HTML, async (request) => {
        const { kind } = await find(request);
        const uuid = request.segment('uuid').toLowerCase();
        const path = dependencies.hasPages
          ? `${PAGE_SEGMENTS[kind]}/${uuid}/`
          : `api/${COLLECTIONS[kind]}/${uuid}`;
        const page: Redirect = { location: `../${request.preferredLanguage}/${path}`, status: 303 };
        return linkedDataOf(request, `../id/${uuid}`) ?? page;
      }),
      dependsOn: 'state',
    },
  ];
}
