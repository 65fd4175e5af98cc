import {
  type Decade,
  homePage,
  type KindData,
  kindPage,
  type ListedRecord,
  nameOf,
  type PageRecord,
  searchPage,
  sortDate,
} from '@archiefkast/site';
import { KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { facetsNamed, findFacets } from '../../../edition/find-facets.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import { ALL_RECORDS, fold, type Query } from '../../../search/index.ts';
import { type Answer, type ArchiveRequest, type ArchiveRoute, HTML } from '../../contract/route.ts';
import { Problem } from '../../problems/problems.ts';
import { parseSearch } from '../../problems/search-problem.ts';
import { invalidPage, pageOf } from '../../request/parameters.ts';
import { createPageContext } from './page-context.ts';
import type { FoundRecords, PageDependencies, PageReader } from './page-reader.ts';
import { createLocationLookUp } from './record-relations.ts';

/** Hits on a page of search, and names on a page of a kind. */
const HITS = 20;
const NAMES = 90;

/** Records on the front page that changed last. */
const NEWEST = 6;

/** Bytes that a decade or a letter takes in memory. */
const WAY_BYTES = 64;

/** What leads into an edition: it takes many searches, and is asked for by many pages. */
interface WaysIn {
  decades: Cache<Decade[]>;
  letters: Cache<LetterPage[]>;
}

/** The front page, search, and the ways in by kind. */
export function findPageRoutes(dependencies: PageDependencies): ArchiveRoute[] {
  const waysIn = {
    decades: dependencies.caches.open<Decade[]>('decades', ({ length }) => length * WAY_BYTES),
    letters: dependencies.caches.open<LetterPage[]>('letters', ({ length }) => length * WAY_BYTES),
  };
  return [
    {
      ...page('/', 'Front page', 'What the archive is, and the ways into it.'),
      parameters: ['edition'],
      answer: (request) => home(request, dependencies, waysIn),
    },
    {
      ...page('/zoeken/', 'Search page', 'Search for people, with facets.'),
      parameters: ['edition', 'page', 'q', 'sort'],
      answer: (request) => search(request, dependencies),
    },
    ...KINDS.map((kind) => ({
      ...page(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, `A way in to every ${kind}.`),
      parameters: ['edition', 'page'] as const,
      answer: (request: ArchiveRequest) => ofKind(kind, request, dependencies, waysIn),
    })),
  ];
}

async function home(
  { language, parameters, open }: ArchiveRequest,
  dependencies: PageDependencies,
  waysIn: WaysIn,
): Promise<Answer> {
  const { queries } = dependencies;
  const { archive, counts } = open.edition;
  const reader = dependencies.openPages(open, language);
  const named = parameters.get('edition');
  const context = createPageContext(dependencies, language, `${language}/`, open.edition, named);
  const newest = await reader.read(await queries.fetchLastChanged(open.edition, NEWEST));
  const text = homePage(context, {
    description: archive?.description?.[language],
    publisher: archive?.publisher?.[language],
    licence: archive?.licence,
    counts,
    decades: await waysIn.decades.fetch(`${open.edition.key} `, () => countDecades(reader, open)),
    top: await reader.readTop(),
    newest: newest.map(({ record }) => record),
  });
  return html(text);
}

async function search(
  { language, parameters, open }: ArchiveRequest,
  dependencies: PageDependencies,
): Promise<Answer> {
  const q = parameters.get('q') ?? '';
  const sort = parameters.get('sort') ?? 'relevance';
  const named = parameters.get('edition');
  const context = createPageContext(dependencies, language, `${language}/zoeken/`, open.edition, named);
  const pageNumber = pageOf(parameters);
  const asked = { q, sort, pageNumber };
  const query = parse(q);
  if (query instanceof Problem) {
    const fault = [query.detail[language], query.expected?.[language]].filter(Boolean).join(' ');
    const nothing = { lastPage: 1, count: 0, counts: {}, results: [], places: new Map(), facets: [] };
    return html(searchPage(context, { ...asked, ...nothing, fault }));
  }
  const reader = dependencies.openPages(open, language);
  const order = sort === 'name' ? reader.byName : sort === 'date' || sort === '-date' ? sort : undefined;
  const [found, { facets }] = await Promise.all([
    reader.find(query, order, HITS, (pageNumber - 1) * HITS),
    findFacets(open, { q, query }, facetsNamed(''), language),
  ]);
  const { records: results, count } = found;
  const text = searchPage(context, {
    ...asked,
    lastPage: lastPage(pageNumber, count, HITS),
    count,
    counts: Object.fromEntries((facets.kind ?? []).map(({ value, count: found }) => [value, found])),
    results,
    places: await findPlaces(reader, found),
    facets: Object.entries(facets).map(([name, values]) => ({
      name,
      values: (values ?? []).flatMap((value) =>
        value.q ? [{ label: value.label, count: value.count, q: value.q }] : [],
      ),
    })),
  });
  return html(text);
}

/** Where the events among the hits were, by their uuid. */
async function findPlaces(
  reader: PageReader,
  { records, positions }: FoundRecords,
): Promise<Map<string, ListedRecord>> {
  const events = new Map(
    records.flatMap(({ kind, uuid }, index) => (kind === 'event' ? [[positions[index] ?? 0, uuid]] : [])),
  );
  return reader.look((graph) => {
    const locationOf = createLocationLookUp(graph);
    return new Map(
      events.entries().flatMap(([position, uuid]) => {
        const location = locationOf(position);
        return location ? [[uuid, location]] : [];
      }),
    );
  });
}

/** The query, or what is wrong with it. */
function parse(q: string): Query | Problem {
  if (q === '') return ALL_RECORDS;
  try {
    return parseSearch(q);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function ofKind(
  kind: Kind,
  { language, parameters, open }: ArchiveRequest,
  dependencies: PageDependencies,
  waysIn: WaysIn,
): Promise<Answer> {
  const reader = dependencies.openPages(open, language);
  const path = `${language}/${PAGE_SEGMENTS[kind]}/`;
  const context = createPageContext(dependencies, language, path, open.edition, parameters.get('edition'));
  const pageNumber = pageOf(parameters);
  const count = open.edition.counts[kind];
  const data = { kind, count, pageNumber, lastPage: lastPage(pageNumber, count, NAMES) };
  if (kind === 'subject') {
    const records = await reader.readTop();
    const last = lastPage(pageNumber, records.length, records.length);
    return html(kindPage(context, { ...data, lastPage: last, records }));
  }
  const all: Query = { clauses: [{ type: 'kind', kind }], excluded: [] };
  const order = kind === 'event' ? 'date' : reader.byName;
  const { records } = await reader.list(all, order, NAMES, (pageNumber - 1) * NAMES);
  const findLettersOnce = () =>
    waysIn.letters.fetch(`${open.edition.key} ${kind} ${language}`, () =>
      findLetters(reader, all, count, NAMES, language),
    );
  const way: Partial<KindData> =
    kind === 'event'
      ? { decades: await waysIn.decades.fetch(`${open.edition.key} `, () => countDecades(reader, open)) }
      : { letters: await findLettersOnce() };
  return html(kindPage(context, { ...data, ...way, records }));
}

/** @throws Problem when the page is beyond the last */
function lastPage(pageNumber: number, count: number, size: number): number {
  const last = Math.max(1, Math.ceil(count / Math.max(1, size)));
  if (pageNumber > last) throw invalidPage(last);
  return last;
}

function html(text: string): Answer {
  return { contentType: HTML, body: [text] };
}

function page(path: string, name: string, description: string) {
  return { path, name, description, group: 'About', isPage: true, content: { contentType: HTML } } as const;
}

/** Decades that are shown at most: the last ones. */
const MOST_DECADES = 60;

/** How many events there are in each decade, from the first that has one to the last. */
async function countDecades(
  reader: PageReader,
  { search }: OpenEdition,
): Promise<{ start: number; count: number }[]> {
  const [first] = (await reader.find(EVENTS, 'date', 1)).records;
  const [last] = (await reader.find(EVENTS, '-date', 1)).records;
  const from = decadeOf(first && sortDate(first));
  const to = decadeOf(last && sortDate(last));
  if (from === undefined || to === undefined) return [];
  const starts = Array.from({ length: (to - from) / 10 + 1 }, (_, index) => from + index * 10);
  const decades: { start: number; count: number }[] = [];
  // One after the other: asked for at once, the last would wait for all others before it begins.
  for (const start of starts.slice(-MOST_DECADES)) {
    const range = { from: start * 10_000, to: (start + 9) * 10_000 + 9_999 };
    const query: Query = { ...EVENTS, clauses: [...EVENTS.clauses, { type: 'range', field: 'date', range }] };
    decades.push({ start, count: (await search.search(query, 0, 0)).count });
  }
  return decades;
}

const EVENTS: Query = { clauses: [{ type: 'kind', kind: 'event' }], excluded: [] };

function decadeOf(date: string | undefined): number | undefined {
  const year = Number(date?.slice(0, 4));
  return date === undefined || date === '9999' ? undefined : year - (year % 10);
}

/** A letter with which names begin, and the page that its first name is on. */
interface LetterPage {
  letter: string;
  page: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** On which page of a list in order of name the names with each letter begin: found by halves, without reading all. */
async function findLetters(
  reader: PageReader,
  query: Query,
  count: number,
  size: number,
  language: Language,
): Promise<LetterPage[]> {
  const names = new Map<number, Promise<string>>();
  const nameAt = (index: number) => {
    const name =
      names.get(index) ??
      reader.find(query, reader.byName, 1, index).then(({ records: [record] }) => sortName(record, language));
    names.set(index, name);
    return name;
  };
  const starts: { letter: string; start: number }[] = [];
  for (const letter of LETTERS) {
    let low = starts.at(-1)?.start ?? 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((await nameAt(middle)) < letter) low = middle + 1;
      else high = middle;
    }
    if (low < count && (await nameAt(low)).startsWith(letter)) starts.push({ letter, start: low });
  }
  return starts.map(({ letter, start }) => ({
    letter: letter.toUpperCase(),
    page: Math.floor(start / size) + 1,
  }));
}

/** What a name is sorted by; records without one come last. */
function sortName(record: PageRecord | undefined, language: Language): string {
  if (!record) return '';
  return fold(record.last_name || nameOf(record, language).text).trim();
}
