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

/** Recently changed records on the front page. */
const NEWEST = 6;

/** Memory of a cached decade or letter, in bytes. */
const WAY_BYTES = 64;

/** Caches of the decades and letters for browsing: each takes many searches, and is on many pages. */
interface WaysIn {
  decades: Cache<Decade[]>;
  letters: Cache<LetterPage[]>;
}

/** The front page, search, and the list of each kind. */
export function findPageRoutes(dependencies: PageDependencies): ArchiveRoute[] {
  const waysIn = {
    decades: dependencies.caches.open<Decade[]>('decades', ({ length }) => length * WAY_BYTES),
    letters: dependencies.caches.open<LetterPage[]>('letters', ({ length }) => length * WAY_BYTES),
  };
  return [
    {
      ...page('/', 'Front page', 'The archive, and ways to browse it.'),
      parameters: ['edition'],
      answer: (request) => home(request, dependencies, waysIn),
    },
    {
      ...page('/zoeken/', 'Search page', 'Search for people, with facets.'),
      parameters: ['edition', 'page', 'q', 'sort'],
      answer: (request) => search(request, dependencies),
    },
    ...KINDS.map((kind) => ({
      ...page(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, `The list of all ${kind}s, for people.`),
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
  const input = { q, sort, pageNumber };
  const query = parse(q);
  if (query instanceof Problem) {
    const fault = [query.detail[language], query.expected?.[language]].filter(Boolean).join(' ');
    const nothing = { lastPage: 1, count: 0, counts: {}, results: [], places: new Map(), facets: [] };
    return html(searchPage(context, { ...input, ...nothing, fault }));
  }
  const reader = dependencies.openPages(open, language);
  const order = sort === 'name' ? reader.byName : sort === 'date' || sort === '-date' ? sort : undefined;
  const [found, { facets }] = await Promise.all([
    reader.find(query, order, HITS, (pageNumber - 1) * HITS),
    findFacets(open, { q, query }, facetsNamed(''), language),
  ]);
  const { records: results, count } = found;
  const text = searchPage(context, {
    ...input,
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

/** The locations of the events among the hits, by UUID of the event. */
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

/** The query, or the problem of an invalid one. */
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

/** The number of the last page. @throws Problem if the page is out of range */
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

/** Limit of decades; the last ones are shown. */
const MOST_DECADES = 60;

/** The number of events in each decade, from the first event to the last. */
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
  // In sequence: in parallel, the last query would wait for all others and might time out.
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

/** A first letter of names, and the page of its first name. */
interface LetterPage {
  letter: string;
  page: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** Finds the page of the first name with each letter, by binary search in the list sorted by name. */
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

/** The sort key of a name; records without a name come last. */
function sortName(record: PageRecord | undefined, language: Language): string {
  if (!record) return '';
  return fold(record.last_name || nameOf(record, language).text).trim();
}
