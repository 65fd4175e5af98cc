import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { COLLECTIONS, PAGE_SEGMENTS } from '@archiefkast/types';
import { findRecord, missingRecord } from '../../http/find-record.ts';
import { linkedDataOf } from '../../http/headers.ts';
import { type ArchiveRequest, HTML, plainRoute, type Redirect, type Route } from '../../http/route.ts';
import type { RecordKey } from '../../storage/edition.ts';
import type { ProtocolTools } from '../protocol.ts';

/**
 * The address that names a record, in every language and edition: it leads to the page of the record in the language of the
 * reader, without pages to its JSON, and for clients that prefer it to linked data. And the linked data.
 */
export function identityRoutes(tools: ProtocolTools): Route[] {
  /** The record of a request. @param ending that of the address @throws MovedPermanently or Problem */
  async function find(request: ArchiveRequest, ending = ''): Promise<RecordKey> {
    const found = await findRecord(tools, request, request.segment('uuid'));
    if (found) return found;
    throw await missingRecord(tools, request, undefined, ({ uuid }) => uuid + ending);
  }
  const route = (path: string, contentType: string, handle: Route['handle']): Route => ({
    ...plainRoute(path, 'Address of a record', contentType, handle),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...Object.entries(LINKED_FORMS).map(([form, { contentType, write }]) =>
      route(`/id/:uuid.${form}`, contentType, async (request) => ({
        body: (await tools.readGraphs(request.open, [await find(request, `.${form}`)])).map(write),
      })),
    ),
    {
      ...route('/id/:uuid', HTML, async (request) => {
        const { kind } = await find(request);
        const uuid = request.segment('uuid').toLowerCase();
        const path = tools.hasPages ? `${PAGE_SEGMENTS[kind]}/${uuid}/` : `api/${COLLECTIONS[kind]}/${uuid}`;
        const page: Redirect = { location: `../${request.preferredLanguage}/${path}`, status: 303 };
        return linkedDataOf(request, `../id/${uuid}`) ?? page;
      }),
      dependsOn: 'state',
    },
  ];
}
