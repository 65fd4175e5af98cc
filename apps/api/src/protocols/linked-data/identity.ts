import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { COLLECTIONS, PAGE_SEGMENTS } from '@archiefkast/types';
import { findRecord, redirectToReplacement } from '../../http/find-record.ts';
import { linkedDataOf, queryOfEdition } from '../../http/headers.ts';
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
 * reader, without pages to its JSON, and for clients that prefer it to linked data; with `edition`, all of that edition. And the linked data.
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
      const more = ending + queryOfEdition(request.parameters);
      return redirectToReplacement(tools, request, undefined, ({ uuid }) => uuid + more);
    }),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...Object.entries(LINKED_FORMS).map(([form, { contentType, write }]) =>
      route(`.${form}`, contentType, async ({ open }, key) => {
        const graphs = await tools.readGraphs(open, [key]);
        const media = graphs.flatMap(({ associatedMedia }) => associatedMedia ?? []);
        const [manifest] = media.flatMap((each) =>
          typeof each === 'object' && '@id' in each ? (each['@id'] ?? []) : [],
        );
        return { body: graphs.map(write), ...(manifest && { links: { alternate: manifest } }) };
      }),
    ),
    {
      ...route('', HTML, (request, { kind }) => {
        const uuid = request.segment('uuid').toLowerCase();
        const path = tools.hasPages ? `${PAGE_SEGMENTS[kind]}/${uuid}/` : `api/${COLLECTIONS[kind]}/${uuid}`;
        const location = `../${request.preferredLanguage()}/${path}${queryOfEdition(request.parameters)}`;
        return linkedDataOf(request, `../id/${uuid}`) ?? { location, status: 303 };
      }),
      dependsOn: 'state',
    },
  ];
}
