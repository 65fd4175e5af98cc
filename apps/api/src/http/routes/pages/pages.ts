import { datasetOf, publisherOf } from '@archiefkast/formats/dataset';
import type { LinkedArchive } from '@archiefkast/formats/linked-data';
import type { RecordView } from '@archiefkast/formats/record-view';
import { HOME_PAGE, type Page } from '@archiefkast/site';
import { datasetPage } from '@archiefkast/site/dataset';
import { homePage, isTelling } from '@archiefkast/site/home';
import { kindPage } from '@archiefkast/site/list-page';
import { type LongText, longTextOf, recordPageOf } from '@archiefkast/site/record-kinds';
import { searchHelpPage } from '@archiefkast/site/search-help';
import { isUuid, KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { eventBars } from '../../../edition/date-bars.ts';
import { linksIn } from '../../../edition/graphs.ts';
import { originalOf } from '../../../edition/identity.ts';
import { notesIn } from '../../../edition/notes.ts';
import type { OpenRecordViews, RecordViews } from '../../../edition/record-views.ts';
import { parseQuery } from '../../../search/index.ts';
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
import { readArea } from './area.ts';
import { embedRoutes } from './embed.ts';
import { feedRoutes, listLastChanged } from './feeds.ts';
import { createLetters } from './letters.ts';
import { collectRelated, townsOf } from './related-records.ts';
import { writeSearch } from './search-page.ts';

/** Memory of a cached text in bytes: of each character at most, and besides these. */
const CHARACTER_BYTES = 2;
const TEXT_BYTES = 256;

/** What pages are written from; with the path of the IIIF manifest of a record, if there are manifests. */
type PageDependencies = RouteDependencies & Pick<LinkedArchive, 'manifestPath'>;

/** The pages for people, and their feeds: that of a record is at the address in its field `url`. */
export function pageRoutes(
  dependencies: PageDependencies,
  openViews: OpenRecordViews,
  readFacts: ReadDatasetFacts,
): Route[] {
  const { caches } = dependencies;
  const listLetters = createLetters(caches, openViews);
  const texts = caches.open<LongText>(
    'texts',
    ({ shown, folded, notes }) =>
      TEXT_BYTES + CHARACTER_BYTES * (shown.length + folded.length + notes.length),
  );
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
          writeRecord(kind, request, dependencies, texts),
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
    ...embedRoutes(dependencies, openViews),
    ...ownPageRoutes(dependencies),
  ];
}

/** Pages from Markdown: what reads this is loaded by the first archive that has some. */
const writeOwnPages = () => import('@archiefkast/site/own-page');

/** The pages of the archive itself. A path that is none of them is unknown, also before anything is published. */
function ownPageRoutes(dependencies: PageDependencies): Route[] {
  const route = (
    path: string,
    answer: (written: string, page: Page, name: string) => string | Redirect,
  ): Route => ({
    ...plainRoute(path, 'Page of the archive itself', HTML, async (request) => {
      const { edition } = request.served ?? {};
      if (!edition?.archive?.pages) return undefined;
      const [page, name] = [createPageOf(dependencies, request), request.segment('name')];
      const written = (await writeOwnPages()).ownPage(page, name);
      if (written === undefined) return undefined;
      const answered = answer(written, page, name);
      return typeof answered === 'string' ? { body: [answered], version: edition.key } : answered;
    }),
    ...{ dependsOn: 'state', parameters: ['edition'] },
  });
  return [
    route('/:name/', (written) => written),
    route('/:name', (_, page, name) => ({ location: page.inEdition(`./${name}/`), status: 308 })),
  ];
}

/** Recently changed records on the front page. */
const NEWEST = 6;

/** Records with a picture on the front page of an archive that names none, and those among which they are sought. */
const HIGHLIGHTS = 6;
const PICTURED = 24;

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
    text: archive?.pages?.[language][HOME_PAGE] && (await writeOwnPages()).homeText(page),
    publisher: name === undefined ? undefined : { name, id: publisherOf(page.naming.identity, archive) },
    counts,
    bars: await views.look(({ graph }) => eventBars(graph)),
    highlights: await listHighlights(views, archive?.highlights, language),
    top: (await views.listTop()).map(({ subject }) => subject),
    newest: newest.map(({ record }) => record),
  });
}

/** The records that the archive names, in its order; of one that names none, the first with a picture and a text. */
async function listHighlights(
  views: RecordViews,
  uuids: readonly string[] | undefined,
  language: Language,
): Promise<RecordView[]> {
  if (uuids) {
    const keys = await Promise.all(uuids.map(views.findKey));
    const found = await views.list(keys.filter((key) => key !== undefined));
    return found.map(({ record }) => record);
  }
  const { found } = await views.listHits(parseQuery('has:image'), PICTURED);
  const records = found.map(({ record }) => record);
  return records.filter((record) => isTelling(record, language)).slice(0, HIGHLIGHTS);
}

/** Subjects right below those at the top, on their list. */
const NARROWER = 80;

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
    const tree = await views.listTop(NARROWER);
    return kindPage(page, { kind, count, records: [], tree, pageNumber, lastPage: lastPage(parameters, 1) });
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
      ? { bars: await views.look(({ graph }) => eventBars(graph)) }
      : { letters: await listLetters(open, kind, language, NAMES) }),
  });
}

async function writeRecord(
  kind: Kind,
  request: PageRequest,
  dependencies: PageDependencies,
  texts: Cache<LongText>,
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
  const { archive, key, ...served } = open.edition;
  const original = originalOf(archive, dependencies);
  const edition = original?.edition ?? served.id;
  const publishedAt = original ? new Date(original.published_at) : served.publishedAt;
  const text = texts.get(`${key} ${language} ${uuid}`, () => longTextOf(page, record));
  const { notes, ...facts } = await views.look((relations) => {
    const { graph, orderOf, card } = relations;
    const around = graph.neighbours(kind, position, orderOf(kind));
    const neighbour = (at: number | undefined) => (at === undefined ? undefined : card(kind, at));
    return {
      previous: neighbour(around.previous),
      next: neighbour(around.next),
      links: linksIn(relations, { kind, position }),
      related: collectRelated(relations, kind, position),
      notes: notesIn(archive, relations, { kind, position }),
      towns: townsOf(relations, kind, record, position),
    };
  });
  const publisher = archive?.publisher?.[language];
  const area = kind === 'location' ? await readArea(open, record) : undefined;
  const { manifestPath } = dependencies;
  const about = { edition, publishedAt, publisher, manifestPath };
  return recordPageOf(page, kind, { ...record, notes }, { ...about, text, area, ...facts });
}
