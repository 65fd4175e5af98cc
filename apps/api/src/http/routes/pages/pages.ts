import { datasetOf, publisherOf } from '@archiefkast/formats/dataset';
import { datasetPage } from '@archiefkast/site/dataset';
import { homePage } from '@archiefkast/site/home';
import { kindPage } from '@archiefkast/site/list-page';
import { recordPageOf } from '@archiefkast/site/record-kinds';
import { searchHelpPage } from '@archiefkast/site/search-help';
import { isUuid, KINDS, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { listDecades } from '../../../edition/decades.ts';
import { linksIn } from '../../../edition/graphs.ts';
import type { OpenRecordViews } from '../../../edition/record-views.ts';
import { DATASET, type ReadDatasetFacts } from '../../dataset-facts.ts';
import { redirectToReplacement } from '../../find-record.ts';
import { linkedDataOf, queryOfEdition } from '../../headers.ts';
import { createPageOf, type PageRequest } from '../../page.ts';
import { type ParameterName, pageOf } from '../../parameters.ts';
import {
  HTML,
  type NegotiatedRequest,
  plainRoute,
  type Redirect,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { lastPage } from '../lists.ts';
import { feedRoutes, listLastChanged } from './feeds.ts';
import { createLetters } from './letters.ts';
import { collectRelated } from './related-records.ts';
import { writeSearch } from './search-page.ts';

/** The pages for people, and their feeds: that of a record is at the address in its field `url`. */
export function pageRoutes(
  dependencies: RouteDependencies,
  openViews: OpenRecordViews,
  readFacts: ReadDatasetFacts,
): Route[] {
  const listLetters = createLetters(dependencies.caches, openViews);
  const page = (
    path: string,
    name: string,
    write: (request: PageRequest) => Promise<string | Redirect>,
    parameters: readonly ParameterName[] = [],
  ): Route => ({
    ...plainRoute(path, name, HTML, async (request) => {
      const page = createPageOf(dependencies, request);
      const views = openViews(request.open, request.language);
      const written = await write({ ...request, page, views });
      return typeof written === 'string' ? { body: [written] } : written;
    }),
    description: `${name}, for people.`,
    parameters: ['edition' as const, ...parameters].toSorted(),
  });
  return [
    page('/', 'Front page', (request) => writeHome(request, dependencies)),
    ...KINDS.flatMap((kind) => [
      page(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, (request) => writeList(kind, request, listLetters), [
        'page',
      ]),
      {
        ...page(`/${PAGE_SEGMENTS[kind]}/:uuid/`, `Page of a ${kind}`, (request) =>
          writeRecord(kind, request, dependencies),
        ),
        alternate: (request: NegotiatedRequest) =>
          linkedDataOf(request, `../../../id/${request.segment('uuid').toLowerCase()}`),
      },
    ]),
    page('/zoeken/', 'Search page', writeSearch, ['date', 'from', 'page', 'q', 'sort', 'to']),
    page('/zoeken/hulp/', 'Help on search', async ({ page }) => searchHelpPage(page)),
    {
      ...page('/dataset/', DATASET, async (request) => {
        const facts = await readFacts(request);
        return datasetPage(request.page, facts, datasetOf(facts));
      }),
      description: `${DATASET}.`,
      alternate: (request: NegotiatedRequest) => linkedDataOf(request, '../../dataset'),
    },
    ...feedRoutes(dependencies, openViews),
  ];
}

/** Recently changed records on the front page. */
const NEWEST = 6;

async function writeHome(
  { language, page, views, open: { edition } }: PageRequest,
  { datestamps }: Pick<RouteDependencies, 'datestamps'>,
): Promise<string> {
  const { archive, counts } = edition;
  const name = archive?.publisher?.[language];
  const newest = (await datestamps.isFirst(edition))
    ? []
    : await listLastChanged(datestamps, views, edition, NEWEST);
  return homePage(page, {
    description: archive?.description?.[language],
    publisher: name === undefined ? undefined : { name, id: publisherOf(page.baseUrl, archive) },
    counts,
    decades: await views.look(({ graph }) => listDecades(graph)),
    top: await views.listTop(),
    newest: newest.map(({ record }) => record),
  });
}

/** Names on a page of a kind. */
const NAMES = 90;

async function writeList(
  kind: Kind,
  { language, page, views, parameters, open }: PageRequest,
  listLetters: ReturnType<typeof createLetters>,
): Promise<string> {
  const pageNumber = pageOf(parameters);
  const count = open.edition.counts[kind];
  if (kind === 'subject') {
    const records = await views.listTop();
    return kindPage(page, { kind, count, records, pageNumber, lastPage: lastPage(parameters, 1) });
  }
  const last = lastPage(parameters, count, NAMES);
  const start = (pageNumber - 1) * NAMES;
  // From memory: a queue of searches cannot keep a list from its readers.
  const records = await views.look(({ graph, orderOf, card }) =>
    Array.from(graph.ordered(kind, orderOf(kind)).subarray(start, start + NAMES), (position) =>
      card(kind, position),
    ),
  );
  return kindPage(page, {
    ...{ kind, count, records, pageNumber, lastPage: last },
    ...(kind === 'event'
      ? { decades: await views.look(({ graph }) => listDecades(graph)) }
      : { letters: await listLetters(open, kind, language, NAMES) }),
  });
}

async function writeRecord(
  kind: Kind,
  request: PageRequest,
  dependencies: RouteDependencies,
): Promise<string | Redirect> {
  const { language, page, views, segment, open } = request;
  const uuid = segment('uuid').toLowerCase();
  const found = isUuid(uuid) ? await views.findByUuid(kind, uuid) : undefined;
  if (!found) {
    const query = queryOfEdition(request.parameters);
    return await redirectToReplacement(
      dependencies,
      request,
      kind,
      ({ kind: of, uuid: by }) => `../../${PAGE_SEGMENTS[of]}/${by}/${query}`,
    );
  }
  const { record, position } = found;
  const { id: edition, publishedAt, archive } = open.edition;
  const facts = await views.look((relations) => {
    const { graph, orderOf, card } = relations;
    const around = graph.neighbours(kind, position, orderOf(kind));
    const neighbour = (at: number | undefined) => (at === undefined ? undefined : card(kind, at));
    return {
      previous: neighbour(around.previous),
      next: neighbour(around.next),
      links: linksIn(relations, { kind, position }),
      related: collectRelated(relations, kind, position),
    };
  });
  const publisher = archive?.publisher?.[language];
  return recordPageOf(page, kind, record, { edition, publishedAt, publisher, ...facts });
}
