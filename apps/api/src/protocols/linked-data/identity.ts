import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { COLLECTIONS, PAGE_SEGMENTS } from '@archiefkast/types';
import { findRecord, redirectToReplacement } from '../../http/find-record.ts';
import { linkedDataOf } from '../../http/headers.ts';
import {
  type Answer,
  type ArchiveRequest,
  HTML,
  plainRoute,
  type Redirect,
  type Route,
} from '../../http/route.ts';
import type { RecordKey } from '../../storage/edition.ts';
import type { ProtocolTools } from '../protocol.ts';

/**
 * The address that names a record, in every language and edition: it leads to the page of the record in the language of the
 * reader, without pages to its JSON, and for clients that prefer it to linked data. And the linked data.
 */
export function identityRoutes(tools: ProtocolTools): Route[] {
  /** @param ending that of the address */
  const route = (
    ending: string,
    contentType: string,
    answer: (request: ArchiveRequest, key: RecordKey) => Answer | Redirect | Promise<Answer>,
  ): Route => ({
    ...plainRoute(`/id/:uuid${ending}`, 'Address of a record', contentType, async (request) => {
      const found = await findRecord(tools, request, request.segment('uuid'));
      if (found) return answer(request, found);
      return redirectToReplacement(tools, request, undefined, ({ uuid }) => uuid + ending);
    }),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...Object.entries(LINKED_FORMS).map(([form, { contentType, write }]) =>
      route(`.${form}`, contentType, async ({ open }, key) => ({
        body: (await tools.readGraphs(open, [key])).map(write),
      })),
    ),
    {
      ...route('', HTML, (request, { kind }) => {
        const uuid = request.segment('uuid').toLowerCase();
        const path = tools.hasPages ? `${PAGE_SEGMENTS[kind]}/${uuid}/` : `api/${COLLECTIONS[kind]}/${uuid}`;
        const page: Redirect = { location: `../${request.preferredLanguage}/${path}`, status: 303 };
        return linkedDataOf(request, `../id/${uuid}`) ?? page;
      }),
      dependsOn: 'state',
    },
  ];
}
