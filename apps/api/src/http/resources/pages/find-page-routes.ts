import {
  type Decade,
  homePage,
  type KindData,
  kindPage,
  type ListedRecord,
  nameOf,
  sortDate,
} from '@archiefkast/site';
import { KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Cache } from '../../../cache.ts';
import { DUMP_FORMATS, DUMPS } from '../../../edition/dump-names.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import { fold, type Query } from '../../../search/index.ts';
import { pageOf } from '../../parameters.ts';
import type { Answer, ArchiveRequest, Route } from '../../route.ts';
import { createPageContext, htmlAnswer, lastPage, pageRoute } from './page-context.ts';
import type { PageDependencies, PageGraph, PageReader } from './page-reader.ts';

/** Names on a page of a kind. */
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

/** The front page, and the list of each kind. */
export function findPageRoutes(dependencies: PageDependencies): Route[] {
  const waysIn = {
    decades: dependencies.caches.open<Decade[]>('decades', ({ length }) => length * WAY_BYTES),
    letters: dependencies.caches.open<LetterPage[]>('letters', ({ length }) => length * WAY_BYTES),
  };
  return [
    {
      ...pageRoute('/', 'Front page', 'The archive, and ways to browse it.'),
      parameters: ['edition'],
      handle: (request) => home(request, dependencies, waysIn),
    },
    ...KINDS.map((kind) => ({
      ...pageRoute(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, `The list of all ${kind}s, for people.`),
      parameters: ['edition', 'page'] as const,
      handle: (request: ArchiveRequest) => ofKind(kind, request, dependencies, waysIn),
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
  const newest = (await queries.isFirst(open.edition))
    ? []
    : await reader.read(await queries.fetchLastChanged(open.edition, NEWEST));
  const text = homePage(context, {
    description: archive?.description?.[language],
    publisher: archive?.publisher?.[language],
    counts,
    decades: await waysIn.decades.fetch(`${open.edition.key} `, () => countDecades(reader, open)),
    dumps: DUMPS.map(({ path, format }) => ({
      path: `${language}${path}`,
      contentType: DUMP_FORMATS[format].contentType,
    })),
    publishedAt: open.edition.publishedAt,
    top: await reader.readTop(),
    newest: newest.map(({ record }) => record),
  });
  return htmlAnswer(text);
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
    return htmlAnswer(kindPage(context, { ...data, lastPage: last, records }));
  }
  const order = kind === 'event' ? 'date' : reader.byName;
  const start = (pageNumber - 1) * NAMES;
  // From memory: a queue of searches cannot keep a list from its readers.
  const records = await reader.look((graph) =>
    Array.from(graph.ordered(kind, order).subarray(start, start + NAMES), (position) =>
      graph.listed(kind, position),
    ),
  );
  const findLettersOnce = () =>
    waysIn.letters.fetch(`${open.edition.key} ${kind} ${language}`, () =>
      reader.look((graph) => findLetters(graph, kind, reader.byName, language)),
    );
  const way: Partial<KindData> =
    kind === 'event'
      ? { decades: await waysIn.decades.fetch(`${open.edition.key} `, () => countDecades(reader, open)) }
      : { letters: await findLettersOnce() };
  return htmlAnswer(kindPage(context, { ...data, ...way, records }));
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

/** Limit of letters, for archives in many scripts. */
const MOST_LETTERS = 60;

/** Finds the page of the first name with each letter, by binary search in the list sorted by name. */
function findLetters(
  graph: PageGraph,
  kind: Kind,
  byName: PageReader['byName'],
  language: Language,
): LetterPage[] {
  const ordered = graph.ordered(kind, byName);
  const count = ordered.length;
  const nameAt = (index: number) => sortName(graph.listed(kind, ordered[index] ?? 0), language);
  const letters = new Map<string, number>();
  let start = 0;
  while (start < count && letters.size < MOST_LETTERS) {
    const group = letterOf(nameAt(start));
    // Records without a name are last.
    if (group === undefined || letters.has(group.letter)) break;
    letters.set(group.letter, Math.floor(start / NAMES) + 1);
    let high = count;
    let low = start + 1;
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
  if (name < '0' || name >= ':')
    return { letter: String.fromCodePoint(first).toUpperCase(), end: String.fromCodePoint(first + 1) };
  return { letter: '0–9', end: ':' };
}

/** The name by which a record is sorted, as in the index; empty if it has none. */
function sortName(record: ListedRecord, language: Language): string {
  const { last_name: last, first_name: first } = record;
  return fold(last || (record.kind === 'person' && first) || nameOf(record, language).text).trim();
}
