import { datasetOf } from '@archiefkast/formats/dataset';
import { LINKED_FORMS } from '@archiefkast/formats/linked-data';
import { DATASET } from '../../http/dataset-facts.ts';
import { linkedDataOf, queryOfEdition } from '../../http/headers.ts';
import { HTML, plainRoute, type Route } from '../../http/route.ts';
import type { ProtocolTools } from '../protocol.ts';

/** The archive as a dataset, as registers read it: an address that leads to the page or to linked data, and the latter. */
export function datasetRoutes({ hasPages, readFacts }: ProtocolTools): Route[] {
  const route = (path: string, contentType: string, handle: Route['handle']): Route => ({
    ...plainRoute(path, DATASET, contentType, handle),
    ...{ atRoot: true, parameters: ['edition'] },
  });
  return [
    ...Object.entries(LINKED_FORMS).map(([form, { contentType, write }]) =>
      route(`/dataset.${form}`, contentType, async (request) => ({
        body: [write(datasetOf(await readFacts(request)))],
      })),
    ),
    {
      ...route('/dataset', HTML, (request) => {
        const page = hasPages ? `./${request.preferredLanguage()}/dataset/` : './dataset.jsonld';
        const location = page + queryOfEdition(request.parameters);
        return linkedDataOf(request, './dataset') ?? { location, status: 303 };
      }),
      dependsOn: 'state',
    },
  ];
}
