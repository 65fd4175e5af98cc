import {
  facetsSchema,
  KINDS,
  type Kind,
  PAGE_SIZE,
  type Suggestions,
  searchUrl,
  suggestionsSchema,
} from '@archiefkast/types';
import { facetsNamed, findFacets } from '../../edition/find-facets.ts';
import { type ScoredKey, walkKeys } from '../../edition/record-keys.ts';
import { nearestName } from '../../nearest-name.ts';
import {
  ALL_RECORDS,
  type Box,
  type Clause,
  hasSuggestions,
  type Query,
  SEARCH_FIELDS,
  type SearchIndex,
} from '../../search/index.ts';
import { listAnswer, pageRange } from '../answer/envelope.ts';
import {
  type ArchiveRequest,
  type ArchiveRoute,
  json,
  jsonContent,
  type RouteDependencies,
} from '../contract/route.ts';
import { didYouMean, Problem } from '../problems/problems.ts';
import { parseSearch } from '../problems/search-problem.ts';
import { boxOf, orderOf, pageOf } from '../request/parameters.ts';
import {
  briefSearchPageSchema,
  readRequestedFields,
  searchPageSchema,
  selectedSearchPageSchema,
} from './records.ts';

/** Search over all kinds. */
export function searchRoute(dependencies: RouteDependencies): ArchiveRoute {
  return {
    path: '/api/search',
    name: 'Search',
    description:
      'Records of all kinds. With q, only those that match, by relevance; with sort, in another order.',
    group: 'Search',
    content: jsonContent(searchPageSchema, briefSearchPageSchema, selectedSearchPageSchema),
    parameters: ['edition', 'fields', 'format', 'page', 'q', 'sort'],
    async answer(request) {
      const { language, parameters, open, signal } = request;
      const { edition, search } = open;
      const q = parameters.get('q');
      const order = orderOf(parameters, language);
      const { count, keys } =
        q || order
          ? await findHits(
              search,
              { ...(q ? parseSearch(q) : ALL_RECORDS), ...(order && { order }) },
              parameters,
              signal,
            )
          : { count: edition.total, keys: walkKeys(edition, pageRange(parameters, edition.total)) };
      const records = await readRequestedFields(dependencies, request, KINDS, keys);
      const results = records.map((record, index) => {
        const { kind = '', score = 0 } = keys[index] ?? {};
        return [`{"type":"${kind}","instance":`, ...record, `,"score":${writeScore(q ? score : 0)}}`];
      });
      const url = searchUrl(dependencies.baseUrl, language);
      return listAnswer({ url, parameters, count, total: edition.total, language }, results);
    },
  };
}

/** The hits on a page. @throws Problem if the page is out of range */
async function findHits(
  search: SearchIndex,
  query: Query,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<{ count: number; keys: ScoredKey[] }> {
  const { count, hits } = await search.search(query, (pageOf(parameters) - 1) * PAGE_SIZE, PAGE_SIZE, signal);
  pageRange(parameters, count);
  return { count, keys: hits };
}

/** A score always has a fraction: `0.0` without a query. */
function writeScore(score: number): string {
  return Number.isInteger(score) ? score.toFixed(1) : String(score);
}

/** Limit of suggestions. */
const MOST_VALUES = 10;

/** Limit of a prefix, in characters. */
export const LONGEST_PREFIX = 200;

/** The fields with suggestions: text fields that match by word. */
export const SUGGESTED_FIELDS = SEARCH_FIELDS.filter(hasSuggestions).map(({ name }) => name);

/** Values of a field in which a word starts with a prefix. */
export function suggestRoute(): ArchiveRoute {
  return {
    path: '/api/suggest',
    name: 'Suggest values',
    description: `At most ${MOST_VALUES} values of a field, or names of records of all kinds, in which a word starts with the prefix, ignoring case and diacritics; with kind, of records of that kind. A record counts once, by its value in the language of the request if that matches. Values that start with the prefix come first, then the most frequent ones. Each has the number of its records, their kind if it is one, and the record if there is only one.`,
    group: 'Search',
    content: jsonContent(suggestionsSchema),
    parameters: ['edition', 'field', 'kind', 'prefix'],
    async answer({ language, parameters, open: { search }, signal }) {
      const field = readField(parameters);
      const kind = KINDS.find((each) => each === parameters.get('kind'));
      const prefix = readPrefix(parameters);
      const values = await search.suggest({ field, kind, language }, prefix, MOST_VALUES, signal);
      const suggestions: Suggestions = {
        field: field ?? null,
        prefix,
        values,
      };
      return json([JSON.stringify(suggestions)]);
    },
  };
}

function readField(parameters: URLSearchParams): string | undefined {
  const name = parameters.get('field') ?? undefined;
  if (name === undefined || SUGGESTED_FIELDS.includes(name)) return name;
  const nearest = nearestName(name, SUGGESTED_FIELDS);
  const { en, nl } = didYouMean(nearest);
  throw new Problem(
    'invalid-suggestion',
    {
      en: `No suggestions for field "${name}"${en}`,
      nl: `Geen suggesties voor veld "${name}"${nl}`,
    },
    {
      en: 'field=<field>, one of the member fields; or no field, for names of records',
      nl: 'field=<veld>, een van de velden onder fields; of geen field, voor namen van records',
    },
    { fields: SUGGESTED_FIELDS, ...(nearest !== undefined && { nearest }) },
  );
}

function readPrefix(parameters: URLSearchParams): string {
  const prefix = parameters.get('prefix') ?? '';
  if (prefix.length <= LONGEST_PREFIX) return prefix;
  throw new Problem(
    'invalid-suggestion',
    { en: 'The parameter "prefix" is too long.', nl: 'De parameter "prefix" is te lang.' },
    { en: `at most ${LONGEST_PREFIX} characters`, nl: `hoogstens ${LONGEST_PREFIX} tekens` },
  );
}

/** The most frequent values of the hits of a query, with their counts. */
export function facetsRoute(): ArchiveRoute {
  return {
    path: '/api/facets',
    name: 'Facets',
    description:
      'Counts of the matching records by kind, century, city, subject and gender: for each at most twenty values, the most frequent first, with the query that finds these records.',
    group: 'Search',
    content: jsonContent(facetsSchema),
    parameters: ['edition', 'of', 'q'],
    async answer({ language, parameters, open, signal }) {
      const of = facetsNamed(parameters.get('of') ?? '');
      const q = parameters.get('q') ?? '';
      const query = q === '' ? ALL_RECORDS : parseSearch(q);
      const facets = await findFacets(open, { q, query }, of, language, signal);
      return json([JSON.stringify(facets)]);
    },
  };
}

/**
 * The positions of the records of a kind that match `q` and `bbox`, in the order of `sort`.
 *
 * @param most limit of the hits
 * @returns undefined without these parameters, which means all records by id
 * @throws Problem if the query is invalid or exceeds the limit; SearchTimeout
 */
export async function findPositions(
  { parameters, language, open: { search }, signal }: ArchiveRequest,
  { kind, most }: { kind: Kind; most: number },
): Promise<Uint32Array | undefined> {
  const q = parameters.get('q');
  const bbox = parameters.get('bbox');
  const order = orderOf(parameters, language);
  if (q === null && bbox === null && order === undefined) return undefined;
  const query = q === null ? ALL_RECORDS : parseSearch(q, kind);
  const clauses: Clause[] = [{ type: 'kind', kind }, ...query.clauses];
  if (bbox !== null) clauses.push(withinBox(boxOf(bbox), kind));
  const { count, hits } = await search.search(
    { clauses, excluded: query.excluded, ...(order && { order }) },
    0,
    most,
    signal,
  );
  if (count > most) throw tooMany(count, most);
  return Uint32Array.from(hits, ({ position }) => position);
}

/** The condition that a location, or the location of an event, is in a box. */
function withinBox(box: Box, kind: Kind): Clause {
  const clause: Clause = { type: 'within', box };
  return kind === 'event' ? { type: 'at-location', clause } : clause;
}

function tooMany(count: number, most: number): Problem {
  return new Problem(
    'too-many-hits',
    {
      en: `${count} records match; the limit is ${most}.`,
      nl: `${count} records gevonden; het maximum is ${most}.`,
    },
    {
      en: 'a more specific query, or the complete file, without q, bbox and sort',
      nl: 'een specifiekere zoekvraag, of het volledige bestand, zonder q, bbox en sort',
    },
  );
}
