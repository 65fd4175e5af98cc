import { homePage, type KindData, kindPage, type PageContext, searchPage } from '@archive/site';
import { KINDS, type Kind, type Language, PAGE_SEGMENTS } from '@archive/types';
import { facetsNamed, findFacets } from '../../read/find-facets.ts';
import type { OpenEdition } from '../../read/follow-editions.ts';
import { ALL_RECORDS, type Query } from '../../search/index.ts';
import { HTML } from '../answer/document.ts';
import { Problem } from '../problems/problems.ts';
import { parseSearch } from '../problems/search-problem.ts';
import { invalidPage, pageOf } from '../request/parameters.ts';
import type { ArchiveRequest, ArchiveRoute, RouteDependencies } from '../routes/route.ts';
import { countDecades } from './count-decades.ts';
import { findLetters } from './find-letters.ts';
import { createPageReader } from './page-reader.ts';

/** Hits on a page of search, and names on a page of a kind. */
const HITS = 20;
const NAMES = 90;

/** Records on the front page that changed last. */
const NEWEST = 6;

/** The front page, search, and the ways in by kind. */
export function findPageRoutes(dependencies: RouteDependencies): ArchiveRoute[] {
  return [
    {
      ...page('/', 'Front page', 'What the archive is, and the ways into it.'),
      parameters: [],
      answer: async (request) => html(await home(request, dependencies)),
    },
    {
      ...page('/zoeken/', 'Search page', 'Search for people, with facets.'),
      parameters: ['page', 'q', 'sort'],
      answer: async (request) => html(await search(request, dependencies)),
    },
    ...KINDS.map((kind) => ({
      ...page(`/${PAGE_SEGMENTS[kind]}/`, `All ${kind}s`, `A way in to every ${kind}.`),
      parameters: ['page'] as const,
      answer: async (request: ArchiveRequest) => html(await ofKind(kind, request, dependencies)),
    })),
  ];
}

async function home(
  { language, open }: ArchiveRequest,
  { queries, baseUrl }: RouteDependencies,
): Promise<string> {
  const { archive, counts } = open.edition;
  const reader = createPageReader(queries, open, language);
  return homePage(contextOf('', language, open, baseUrl), {
    description: archive?.description?.[language],
    publisher: archive?.publisher?.[language],
    licence: archive?.licence,
    counts,
    decades: await countDecades(reader, open),
    top: await reader.readTop(),
    newest: await reader.read(await queries.fetchLastChanged(open.edition, NEWEST)),
  });
}

async function search(
  { language, parameters, open }: ArchiveRequest,
  { queries, baseUrl }: RouteDependencies,
): Promise<string> {
  const q = parameters.get('q') ?? '';
  const sort = parameters.get('sort') ?? 'relevance';
  const context = contextOf('zoeken/', language, open, baseUrl);
  const pageNumber = pageOf(parameters);
  const asked = { q, sort, pageNumber };
  const query = parse(q);
  if (query instanceof Problem) {
    const fault = [query.detail[language], query.expected?.[language]].filter(Boolean).join(' ');
    return searchPage(context, {
      ...asked,
      lastPage: 1,
      count: 0,
      counts: {},
      results: [],
      facets: [],
      fault,
    });
  }
  const reader = createPageReader(queries, open, language);
  const order = sort === 'name' ? reader.byName : sort === 'date' || sort === '-date' ? sort : undefined;
  const [{ records: results, count }, { facets }] = await Promise.all([
    reader.find(query, order, HITS, (pageNumber - 1) * HITS),
    findFacets(open, { q, query }, facetsNamed(''), language),
  ]);
  return searchPage(context, {
    ...asked,
    lastPage: lastPage(pageNumber, count, HITS),
    count,
    counts: Object.fromEntries((facets.kind ?? []).map(({ value, count: found }) => [value, found])),
    results,
    facets: Object.entries(facets).map(([name, values]) => ({
      name,
      values: (values ?? []).flatMap((value) =>
        value.q ? [{ label: value.label, count: value.count, q: value.q }] : [],
      ),
    })),
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
  { queries, baseUrl }: RouteDependencies,
): Promise<string> {
  const reader = createPageReader(queries, open, language);
  const context = contextOf(`${PAGE_SEGMENTS[kind]}/`, language, open, baseUrl);
  const pageNumber = pageOf(parameters);
  const count = open.edition.counts[kind];
  const data = { kind, count, pageNumber, lastPage: lastPage(pageNumber, count, NAMES) };
  if (kind === 'subject') {
    const records = await reader.readTop();
    return kindPage(context, {
      ...data,
      lastPage: lastPage(pageNumber, records.length, records.length),
      records,
    });
  }
  const all: Query = { clauses: [{ type: 'kind', kind }], excluded: [] };
  const order = kind === 'event' ? 'date' : reader.byName;
  const { records } = await reader.find(all, order, NAMES, (pageNumber - 1) * NAMES);
  const way: Partial<KindData> =
    kind === 'event'
      ? { decades: await countDecades(reader, open) }
      : { letters: await findLetters(reader, all, count, NAMES, language) };
  return kindPage(context, { ...data, ...way, records });
}

/** @throws Problem when the page is beyond the last */
function lastPage(pageNumber: number, count: number, size: number): number {
  const last = Math.max(1, Math.ceil(count / Math.max(1, size)));
  if (pageNumber > last) throw invalidPage(last);
  return last;
}

function contextOf(path: string, language: Language, { edition }: OpenEdition, baseUrl: string): PageContext {
  return {
    language,
    path: `${language}/${path}`,
    baseUrl,
    hasPages: true,
    archiveName: edition.archive?.title[language],
  };
}

function html(text: string) {
  return { contentType: HTML, body: [text] };
}

function page(path: string, name: string, description: string) {
  return { path, name, description, group: 'About', isPage: true, content: { contentType: HTML } } as const;
}
