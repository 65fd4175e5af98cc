import { homePage } from '@archiefkast/site/home';
import { kindPage } from '@archiefkast/site/kind-list';
import { recordPageOf } from '@archiefkast/site/kinds';
import { searchHelpPage } from '@archiefkast/site/search';
import { isUuid, KINDS, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { linkedDataOf } from '../../headers.ts';
import { type ParameterName, pageOf } from '../../parameters.ts';
import { HTML, type NegotiatedRequest, plainRoute, type Route, type RouteDependencies } from '../../route.ts';
import { lastPage, missingRecord } from '../lists.ts';
import { feedRoutes } from './feeds.ts';
import { createPageOf, nodeAt, type OpenPageReader, type PageRequest } from './page-data.ts';
import { writeSearch } from './search-page.ts';

/** The pages for people, and their feeds: that of a record is at the address in its field `url`. */
export function pageRoutes(dependencies: RouteDependencies, openReader: OpenPageReader): Route[] {
  const page = (
    path: string,
    name: string,
    write: (request: PageRequest) => Promise<string>,
    parameters: readonly ParameterName[] = [],
  ): Route => ({
    ...plainRoute(path, name, HTML, async (request) => {
      const page = createPageOf(dependencies, request);
      const reader = openReader(request.open, request.language);
      return { body: [await write({ ...request, page, reader })] };
    }),
    description: `${name}, for people.`,
    parameters: ['edition' as const, ...parameters].toSorted(),
  });
  return [
    page('/', 'Front page', writeHome),
    ...KINDS.flatMap((kind) => [
      page(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, (request) => writeList(kind, request), ['page']),
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
    ...feedRoutes(dependencies, openReader),
  ];
}

/** Recently changed records on the front page. */
const NEWEST = 6;

async function writeHome({ language, page, reader, open }: PageRequest): Promise<string> {
  const { archive, counts } = open.edition;
  const newest = (await reader.isFirst()) ? [] : await reader.readLastChanged(NEWEST);
  return homePage(page, {
    description: archive?.description?.[language],
    publisher: archive?.publisher?.[language],
    counts,
    decades: await reader.countDecades(),
    top: await reader.readTop(),
    newest: newest.map(({ record }) => record),
  });
}

/** Names on a page of a kind. */
const NAMES = 90;

async function writeList(kind: Kind, { page, reader, parameters, open }: PageRequest): Promise<string> {
  const pageNumber = pageOf(parameters);
  const count = open.edition.counts[kind];
  if (kind === 'subject') {
    const records = await reader.readTop();
    return kindPage(page, { kind, count, records, pageNumber, lastPage: lastPage(parameters, 1) });
  }
  const last = lastPage(parameters, count, NAMES);
  const start = (pageNumber - 1) * NAMES;
  // From memory: a queue of searches cannot keep a list from its readers.
  const records = await reader.look(({ graph, orderOf, listed }) =>
    Array.from(graph.ordered(kind, orderOf(kind)).subarray(start, start + NAMES), (position) =>
      listed(kind, position),
    ),
  );
  return kindPage(page, {
    ...{ kind, count, records, pageNumber, lastPage: last },
    ...(kind === 'event'
      ? { decades: await reader.countDecades() }
      : { letters: await reader.findLetters(kind, NAMES) }),
  });
}

async function writeRecord(
  kind: Kind,
  request: PageRequest,
  dependencies: RouteDependencies,
): Promise<string> {
  const { language, page, reader, segment, open } = request;
  const uuid = segment('uuid').toLowerCase();
  const found = isUuid(uuid) ? await reader.readByUuid(kind, uuid) : undefined;
  if (!found) {
    throw await missingRecord(
      dependencies,
      request,
      kind,
      ({ kind: of, uuid: by }) => `../../${PAGE_SEGMENTS[of]}/${by}/`,
    );
  }
  const { record, position } = found;
  const { id: edition, publishedAt, archive } = open.edition;
  return reader.look((look) => {
    const around = look.graph.neighbours(kind, position, look.orderOf(kind));
    const neighbour = (at: number | undefined) => (at === undefined ? undefined : look.listed(kind, at));
    const [previous, next] = [neighbour(around.previous), neighbour(around.next)];
    const facts = { edition, publishedAt, publisher: archive?.publisher?.[language], previous, next };
    return recordPageOf(page, record, nodeAt(look, kind, position), facts);
  });
}
