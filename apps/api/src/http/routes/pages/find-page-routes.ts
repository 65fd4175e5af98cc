import {
  type Decade,
  eventPage,
  homePage,
  type KindData,
  kindPage,
  locationPage,
  nameOf,
  type PageRecord,
  personPage,
  sortDate,
  subjectPage,
} from '@archiefkast/site';
import { isUuid, KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { DUMP_FORMATS, DUMPS } from '../../../edition/dump-names.ts';
import { fold, type GraphOrder, type Query } from '../../../search/index.ts';
import { pageOf } from '../../parameters.ts';
import { noSuchRecord } from '../../problems.ts';
import type { Route } from '../../route.ts';
import { lastPageOf, type PageRequest, pageRoute } from './page-context.ts';
import type { PageDependencies, PageGraph } from './page-reader.ts';
import { eventRelations, locationRelations, personRelations, subjectRelations } from './record-relations.ts';

/** Names on a page of a kind. */
const NAMES = 90;

/** Recently changed records on the front page. */
const NEWEST = 6;

/** Memory of a cached decade or letter, in bytes. */
const WAY_BYTES = 64;

/** The front page, the list of each kind, and the page of each record, at the address in its field `url`. */
export function findPageRoutes(dependencies: PageDependencies): Route[] {
  const { queries, caches } = dependencies;
  const decades = caches.open<Decade[]>('decades', ({ length }) => length * WAY_BYTES);
  const letters = caches.open<Letter[]>('letters', ({ length }) => length * WAY_BYTES);
  const fetchDecades = (request: PageRequest) =>
    decades.fetch(`${request.open.edition.key} `, () => countDecades(request));
  const fetchLetters = (kind: Kind, { language, open, reader }: PageRequest) =>
    letters.fetch(`${open.edition.key} ${kind} ${language}`, () =>
      reader.look((look) => findLetters(look, kind, language)),
    );

  async function writeHome(request: PageRequest): Promise<string> {
    const { language, page, reader, open } = request;
    const { archive, counts, publishedAt } = open.edition;
    const isFirst = await queries.isFirst(open.edition);
    const newest = isFirst ? [] : await reader.read(await queries.fetchLastChanged(open.edition, NEWEST));
    return homePage(page, {
      description: archive?.description?.[language],
      publisher: archive?.publisher?.[language],
      counts,
      decades: await fetchDecades(request),
      dumps: DUMPS.map(({ path, format }) => ({
        path: `${language}${path}`,
        contentType: DUMP_FORMATS[format].contentType,
      })),
      publishedAt,
      top: await reader.readTop(),
      newest: newest.map(({ record }) => record),
    });
  }

  async function writeList(kind: Kind, request: PageRequest): Promise<string> {
    const { page, reader, parameters, open } = request;
    const pageNumber = pageOf(parameters);
    const count = open.edition.counts[kind];
    if (kind === 'subject') {
      const records = await reader.readTop();
      const lastPage = lastPageOf(pageNumber, records.length, Math.max(1, records.length));
      return kindPage(page, { kind, count, records, pageNumber, lastPage });
    }
    const lastPage = lastPageOf(pageNumber, count, NAMES);
    const start = (pageNumber - 1) * NAMES;
    // From memory: a queue of searches cannot keep a list from its readers.
    const records = await reader.look((look) => {
      const positions = look.graph.ordered(kind, orderOf(kind, look)).subarray(start, start + NAMES);
      return Array.from(positions, (position) => look.listed(kind, position));
    });
    const way: Partial<KindData> =
      kind === 'event'
        ? { decades: await fetchDecades(request) }
        : { letters: await fetchLetters(kind, request) };
    return kindPage(page, { kind, count, records, pageNumber, lastPage, ...way });
  }

  return [
    pageRoute(
      dependencies,
      { path: '/', name: 'Front page', description: 'The archive, and ways to browse it.' },
      writeHome,
    ),
    ...KINDS.flatMap((kind) => [
      pageRoute(
        dependencies,
        {
          path: `/${PAGE_SEGMENTS[kind]}/`,
          name: `All ${kind}s`,
          description: `The list of all ${kind}s, for people.`,
          parameters: ['page'],
        },
        (request) => writeList(kind, request),
      ),
      pageRoute(
        dependencies,
        {
          path: `/${PAGE_SEGMENTS[kind]}/:uuid/`,
          name: `Page of a ${kind}`,
          description: `The page of a ${kind}, for people.`,
        },
        (request) => writeRecord(kind, request),
      ),
    ]),
  ];
}

async function writeRecord(
  kind: Kind,
  { language, page, reader, segment, open }: PageRequest,
): Promise<string> {
  const uuid = segment('uuid').toLowerCase();
  const found = isUuid(uuid) ? await reader.readByUuid(kind, uuid) : undefined;
  if (!found) throw noSuchRecord(kind, uuid);
  const { record, position } = found;
  const { id: edition, publishedAt, archive } = open.edition;
  return reader.look((look) => {
    const around = look.graph.neighbours(kind, position, orderOf(kind, look));
    const neighbour = (at: number | undefined) => (at === undefined ? undefined : look.listed(kind, at));
    const [previous, next] = [neighbour(around.previous), neighbour(around.next)];
    const facts = { edition, publishedAt, publisher: archive?.publisher?.[language], previous, next };
    switch (kind) {
      case 'person':
        return personPage(page, record, personRelations(look, position), facts);
      case 'subject':
        return subjectPage(page, record, subjectRelations(look, position), facts);
      case 'location':
        return locationPage(page, record, locationRelations(look, position), facts);
      case 'event':
        return eventPage(page, record, eventRelations(look, position), facts);
    }
  });
}

/** The order of the list of a kind. */
function orderOf(kind: Kind, { byName }: PageGraph): GraphOrder {
  return kind === 'event' ? 'date' : byName;
}

/** Limit of decades; the last ones are shown. */
const MOST_DECADES = 60;

const EVENTS: Query = { clauses: [{ type: 'kind', kind: 'event' }], excluded: [] };

/** The number of events in each decade, from the first event to the last: as many as a search for the decade finds. */
async function countDecades({ open: { search }, reader }: PageRequest): Promise<Decade[]> {
  const yearOf = async (order: 'date' | '-date') => {
    const [event] = (await reader.find(EVENTS, order, 1)).records;
    const year = Number(sortDate(event ?? {}).slice(0, 4));
    // Events without a date are sorted as of this year.
    return year === 9_999 ? undefined : year;
  };
  const [first, last] = [await yearOf('date'), await yearOf('-date')];
  if (first === undefined || last === undefined) return [];
  const from = first - (first % 10);
  const starts = Array.from({ length: Math.floor((last - from) / 10) + 1 }, (_, index) => from + index * 10);
  const decades: Decade[] = [];
  // In sequence: in parallel, the last query would wait for all others and might time out.
  for (const start of starts.slice(-MOST_DECADES)) {
    const range = { from: start * 10_000, to: (start + 9) * 10_000 + 9_999 };
    const query: Query = { ...EVENTS, clauses: [...EVENTS.clauses, { type: 'range', field: 'date', range }] };
    decades.push({ start, count: (await search.search(query, 0, 0)).count });
  }
  return decades;
}

/** A first letter of names, and the page of its first name. */
interface Letter {
  letter: string;
  page: number;
}

/** Limit of letters, for archives in many scripts. */
const MOST_LETTERS = 60;

/** Finds the page of the first name with each letter, by binary search in the list sorted by name. */
function findLetters({ graph, byName, listed }: PageGraph, kind: Kind, language: Language): Letter[] {
  const ordered = graph.ordered(kind, byName);
  const nameAt = (index: number) => sortName(listed(kind, ordered[index] ?? 0), language);
  const letters = new Map<string, number>();
  let start = 0;
  while (start < ordered.length && letters.size < MOST_LETTERS) {
    const group = letterOf(nameAt(start));
    // Records without a name are last.
    if (group === undefined || letters.has(group.letter)) break;
    letters.set(group.letter, Math.floor(start / NAMES) + 1);
    let [low, high] = [start + 1, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nameAt(middle) < group.end) low = middle + 1;
      else high = middle;
    }
    start = low;
  }
  return Array.from(letters, ([letter, page]) => ({ letter, page }));
}

/** The letter under which a folded name is listed, and the first name after those with it; undefined for no name. */
function letterOf(name: string): { letter: string; end: string } | undefined {
  const first = name.codePointAt(0);
  if (first === undefined) return undefined;
  if (name >= '0' && name < ':') return { letter: '0–9', end: ':' };
  return { letter: String.fromCodePoint(first).toUpperCase(), end: String.fromCodePoint(first + 1) };
}

/** The name by which a record is sorted, as in the index; empty if it has none. */
function sortName(record: PageRecord, language: Language): string {
  const { last_name: last, first_name: first } = record;
  return fold(last || (record.kind === 'person' && first) || nameOf(record, language).text).trim();
}
