import {
  facetsSchema,
  KINDS,
  type Kind,
  PAGE_SIZE,
  type Suggestions,
  searchEntrySchema,
  searchUrl,
  suggestionsSchema,
} from '@archiefkast/types';
import { abbreviatedEntrySchemas, briefEntrySchema, selectedEntrySchema } from '@archiefkast/types/internal';
import { askQuery, type QueryContext } from '../../edition/ask-query.ts';
import { facetsNamed, findFacets } from '../../edition/find-facets.ts';
import type { OpenEdition } from '../../edition/open-editions.ts';
import { ALL_RECORDS, type Clause, type Query, QueryError } from '../../search/index.ts';
import type { Edition, RecordKey } from '../../storage/edition.ts';
import { keysInRange } from '../find-record.ts';
import { boxOf, formAsked, orderOf, pageOf } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type ArchiveRequest, json, jsonContent, type Route, type RouteDependencies } from '../route.ts';
import { invalidQuery } from '../search-problems.ts';
import { lastPage, listAnswer, pageSchemas } from './lists.ts';

const PAGES = [
  ...pageSchemas('Search', 'search', [searchEntrySchema, briefEntrySchema, selectedEntrySchema]),
  ...pageSchemas('SearchAbbreviated', 'search, with abbreviated events', abbreviatedEntrySchemas),
];

/** Search over all kinds. */
export function searchRoute({ reader, baseUrl }: RouteDependencies): Route {
  return {
    path: '/api/search',
    name: 'Search',
    description:
      'Records of all kinds. With q, only those that match, by relevance; with sort, in another order.',
    group: 'Search',
    content: jsonContent(...PAGES),
    parameters: ['edition', 'events', 'fields', 'format', 'page', 'q', 'sort'],
    async handle(request) {
      const { language, parameters, open, signal } = request;
      const { edition, search } = open;
      const q = parameters.get('q');
      const order = orderOf(parameters, language);
      const start = (pageOf(parameters) - 1) * PAGE_SIZE;
      const complete = (query: Query): Query => ({ ...query, ...(order && { order }) });
      const ask = (query: Query): Promise<Hits> =>
        search.ask((index) => index.search(query, start, PAGE_SIZE, signal));
      const { count, hits }: Hits =
        q || order
          ? await askSearch(open, q, ask, { complete, signal })
          : { count: edition.total, hits: walkKeys(edition, start) };
      const last = lastPage(parameters, count);
      const records = await reader.read(edition, language, hits, formAsked(parameters, KINDS));
      const results = records.map((record, index) => {
        const { kind = '', score = 0 } = hits[index] ?? {};
        const relevance = q ? score : 0;
        // It always has a fraction: `0.0` without a query.
        const written = Number.isInteger(relevance) ? relevance.toFixed(1) : relevance;
        return [`{"type":"${kind}","instance":`, ...record, `,"score":${written}}`];
      });
      return listAnswer(request, searchUrl(baseUrl, language), { count, last, results });
    },
  };
}

/** The keys of the records on a page of the list of all records, ordered by kind and id: search without a query. */
function walkKeys({ counts }: Edition, start: number): RecordKey[] {
  let before = 0;
  return KINDS.flatMap((kind) => {
    const [first, end] = [start, start + PAGE_SIZE].map((offset) =>
      Math.min(Math.max(offset - before, 0), counts[kind]),
    );
    before += counts[kind];
    return keysInRange(kind, first, end);
  });
}

/** The hits of a page; those that match a query have a score. */
interface Hits {
  count: number;
  hits: readonly (RecordKey & { score?: number })[];
}

/** Asks of the records that a query finds: of all without one. @throws Problem if it is invalid */
async function askSearch<Found extends { count: number }>(
  open: OpenEdition,
  q: string | null,
  ask: (query: Query) => Promise<Found>,
  context: QueryContext = {},
): Promise<Found> {
  const { complete = (query) => query } = context;
  if (!q) return await ask(complete(ALL_RECORDS));
  try {
    return (await askQuery(open, q, ask, context)).found;
  } catch (error) {
    throw error instanceof QueryError ? invalidQuery(error) : error;
  }
}

/** Limit of suggestions. */
const MOST_VALUES = 10;

/** Values of a field in which a word starts with a prefix. */
export function suggestRoute(): Route {
  return {
    path: '/api/suggest',
    name: 'Suggest values',
    description: `At most ${MOST_VALUES} values of a field, or names of records of all kinds, in which a word starts with the prefix, ignoring case and diacritics; with kind, of records of that kind. A record counts once, by its value in the language of the request if that matches. Values that start with the prefix come first, then the most frequent ones. Each has the number of its records, their kind if it is one, and the record if there is only one.`,
    group: 'Search',
    content: jsonContent(suggestionsSchema),
    parameters: ['edition', 'field', 'kind', 'prefix'],
    async handle({ language, parameters, open: { search }, signal }) {
      const field = parameters.get('field') ?? undefined;
      const kind = KINDS.find((each) => each === parameters.get('kind'));
      const prefix = parameters.get('prefix') ?? '';
      const values = await search.ask((index) =>
        index.suggest({ field, kind, language }, prefix, MOST_VALUES, signal),
      );
      const suggestions: Suggestions = { field: field ?? null, prefix, values };
      return json(suggestions);
    },
  };
}

/** The most frequent values of the hits of a query, with their counts. */
export function facetsRoute(): Route {
  return {
    path: '/api/facets',
    name: 'Facets',
    description:
      'Counts of the matching records by kind, century, city, subject and gender: for each at most twenty values, the most frequent first, with the query that finds these records.',
    group: 'Search',
    content: jsonContent(facetsSchema),
    parameters: ['edition', 'of', 'q'],
    async handle({ language, parameters, open, signal }) {
      const of = facetsNamed(parameters.get('of') ?? '');
      const q = parameters.get('q') ?? '';
      const ask = (query: Query) => findFacets(open, { q, query }, of, language, signal);
      return json(await askSearch(open, q, ask, { signal }));
    },
  };
}

/** Limit of the records of a file of hits. */
export const MOST_FOUND = 100_000;

/**
 * The positions of the records of a kind that match `q` and `bbox`, in the order of `sort`.
 *
 * @param most limit of the hits
 * @returns undefined without these parameters, which means all records by id
 * @throws Problem if the query is invalid or exceeds the limit; SearchTimeout
 */
export async function findPositions(
  request: ArchiveRequest,
  { kind, most }: { kind: Kind; most: number },
): Promise<Uint32Array | undefined> {
  const { parameters } = request;
  const bbox = parameters.get('bbox');
  if (['q', 'bbox', 'sort'].every((name) => !parameters.has(name))) return undefined;
  const clause: Clause | undefined = bbox === null ? undefined : { type: 'within', box: boxOf(bbox) };
  // The box of an event is that of its location.
  const within = clause && (kind === 'event' ? [{ type: 'at-location' as const, clause }] : [clause]);
  const hits = await findHits(request, { kind, within, most });
  return Uint32Array.from(hits, ({ position }) => position);
}

/** Which records are found besides those that match `q`. */
interface HitsAsked {
  /** Only those of this kind. */
  kind?: Kind;
  within?: readonly Clause[] | undefined;
  /** Limit of the hits. */
  most: number;
}

/**
 * The records that match `q`, all without it, in the order of `sort`.
 *
 * @throws Problem if the query is invalid or exceeds the limit; SearchTimeout
 */
export async function findHits(
  { parameters, language, open, signal }: ArchiveRequest,
  { kind, within = [], most }: HitsAsked,
): Promise<readonly RecordKey[]> {
  const order = orderOf(parameters, language);
  const ofKind: readonly Clause[] = kind ? [{ type: 'kind', kind }] : [];
  const complete = ({ clauses, excluded }: Query): Query => ({
    clauses: [...ofKind, ...clauses, ...within],
    excluded,
    ...(order && { order }),
  });
  const ask = (query: Query) => open.search.ask((index) => index.search(query, 0, most, signal));
  const context = { ...(kind && { kind }), complete, signal };
  const { count, hits } = await askSearch(open, parameters.get('q'), ask, context);
  if (count <= most) return hits;
  const whole = kind ? ', or the complete file, without q, bbox and sort' : '';
  throw new Problem(
    'too-many-hits',
    `${count} records match; the limit is ${most}.`,
    `a more specific query${whole}`,
  );
}
