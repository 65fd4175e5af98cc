import { failedSearchPage, type SearchFault } from '@archiefkast/site/failed-search';
import {
  type CorrectedQuery,
  type CountedQuery,
  type DateChoice,
  type DatedResults,
  type Refinement,
  searchPage,
} from '@archiefkast/site/search-results';
import type { Facets, Language } from '@archiefkast/types';
import { askQuery } from '../../../edition/ask-query.ts';
import { correctQuery } from '../../../edition/correct-query.ts';
import { barsOfYears } from '../../../edition/date-bars.ts';
import { findFacets } from '../../../edition/find-facets.ts';
import type { OpenEdition } from '../../../edition/open-editions.ts';
import type { RecordViews } from '../../../edition/record-views.ts';
import {
  ALL_RECORDS,
  clauseOf,
  conditionsOf,
  DATE_FIELDS,
  FACETS,
  fold,
  isFreeText,
  MAX_QUERY_LENGTH,
  parseQuery,
  QUOTE,
  type Query,
  QueryError,
  rangeOf,
  withRange,
  wordsOf,
} from '../../../search/index.ts';
import type { PageRequest } from '../../page.ts';
import { orderOf, pageOf } from '../../parameters.ts';
import { describeFault } from '../../search-problems.ts';
import { lastPage } from '../lists.ts';

/** Hits on a page. */
const HITS = 20;

/** The page of search. */
export async function writeSearch({ language, parameters, open, page, views }: PageRequest): Promise<string> {
  const pageNumber = pageOf(parameters);
  const offset = (pageNumber - 1) * HITS;
  const order = orderOf(parameters, language);
  const list: Lists = (query) => views.listHits(query, HITS, { order, offset });
  const read = await readNearest(open, parameters, language, list);
  if ('fault' in read) return failedSearchPage(page, read.typed, read.fault);
  const { q, query, corrects } = read;
  const { found, count } = read.found;
  const { facets } = await findFacets(open, { q, query }, FACETS, language);
  const counts = Object.fromEntries((facets.kind ?? []).map(({ value, count: ofKind }) => [value, ofKind]));
  const isNothing = count === 0 && q !== '';
  const corrected = isNothing ? await correct(open, views, q) : undefined;
  // Whatever is in a name, it is no condition.
  const isName = isNamed(query);
  return searchPage(page, {
    q,
    corrects,
    sort: parameters.get('sort') ?? 'relevance',
    pageNumber,
    lastPage: lastPage(parameters, count, HITS),
    count,
    first: offset + 1,
    counts,
    results: found,
    bars: isName ? undefined : await barsOf(open, q, query, counts),
    refinement: isName ? { used: [], facets: [] } : refine(q, facets, counts),
    corrected,
    apart: isNothing && !corrected ? await wordsApart(open, views, q) : [],
    values: isNothing ? await gendersFor(open, q, language) : [],
    happened: count > 0 && !isName ? await eventsAt(open, q) : undefined,
  });
}

/** Lists the hits of a query that are on the page, and counts all. */
type Lists = (query: Query) => ReturnType<RecordViews['listHits']>;

/** A query that can be shown, what it finds and what it corrects; or an invalid one without a correction. */
type ReadQuery =
  | { q: string; query: Query; found: Awaited<ReturnType<Lists>>; corrects?: CorrectedQuery }
  | { typed: string; fault: SearchFault };

/** Reads the query of a request with its range of dates, which a name has not; of an invalid one, its first correction. */
async function readNearest(
  open: OpenEdition,
  parameters: URLSearchParams,
  language: Language,
  list: Lists,
): Promise<ReadQuery> {
  const typed = parameters.get('q') ?? '';
  const dated = withDates(typed, parameters);
  try {
    if (dated === '') return { q: dated, query: ALL_RECORDS, found: await list(ALL_RECORDS) };
    const { query, found } = await askQuery(open, dated, list, { name: typed });
    return { q: isNamed(query) ? typed : dated, query, found };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const fault = describeFault(error.fault, language);
    const [q, ...more] = error.corrections;
    if (q === undefined) return { typed, fault };
    const query = parseQuery(q);
    const [found, ...others] = await Promise.all([list(query), ...more.map((each) => counted(open, each))]);
    return { q, query, found, corrects: { typed, fault, others } };
  }
}

/** Whether a query was read as the name of records. */
function isNamed({ clauses }: Query): boolean {
  return clauses.some(({ type }) => type === 'name');
}

/** A query with the range of dates that a reader chose. */
function withDates(typed: string, parameters: URLSearchParams): string {
  const field = DATE_FIELDS.find((each) => each === parameters.get('date'));
  if (!field) return typed;
  const [from = '', to = ''] = ['from', 'to'].map((name) => parameters.get(name) ?? '');
  return withRange(typed, { field, from, to });
}

/** The conditions in use, the values that narrow the query, and the dates that results can have. */
function refine(q: string, found: Facets['facets'], counts: Readonly<Record<string, number>>): Refinement {
  const labels = new Map<string, string>();
  const facets = FACETS.map((name) => ({
    name,
    values: (found[name] ?? []).flatMap(({ label, value, count, q: narrowed }): CountedQuery[] => {
      if (narrowed !== q) return narrowed === null ? [] : [{ label, count, q: narrowed }];
      labels.set(JSON.stringify(clauseOf(name, value)), label);
      return [];
    }),
  }));
  const used = conditionsOf(q).map(({ text, clause, without }) => ({
    label: (clause && labels.get(JSON.stringify(clause))) ?? text,
    q: without,
  }));
  const dates = datesOf(q, counts);
  return { used, facets, ...(dates && { dates }) };
}

/** The date fields of the kinds of the results, and the range that the query has. */
function datesOf(q: string, counts: Readonly<Record<string, number>>): DateChoice | undefined {
  const range = rangeOf(q);
  const fields = DATE_FIELDS.filter(
    (field) => range?.field === field || counts[field === 'date' ? 'event' : 'person'],
  );
  const [field] = fields;
  return field && { fields, ...(range ?? { field, from: '', to: '' }) };
}

/** The most bars of a search. */
const MOST_BARS = 40;

/** The results by the date that the query narrows, else by that of the kind which most of them are. */
async function barsOf(
  { search }: OpenEdition,
  q: string,
  query: Query,
  counts: Readonly<Record<string, number>>,
): Promise<DatedResults | undefined> {
  const { event = 0, person = 0 } = counts;
  const field = rangeOf(q)?.field ?? (event >= person ? 'date' : 'birth_date');
  const years = await search.ask((index) => index.years(query, field));
  const queryOf = (from: string, to: string) => withRange(q, { field, from, to });
  return { field, bars: barsOfYears(years, { finest: 1, most: MOST_BARS, queryOf }) };
}

/** What finds something of a query that does not: its words as they are in names, all of them and each alone. */
async function wordsApart(open: OpenEdition, views: RecordViews, q: string): Promise<CountedQuery[]> {
  const words = isFreeText(q) ? [...new Set(wordsOf(q))].slice(0, MOST_APART) : [];
  if (words.length < 2) return [];
  const sought = words.map((word) => ({ word, column: 'name' as const }));
  const nearest = await open.search.ask((index) => index.nearest(sought));
  const spelt = await Promise.all(
    nearest.map((near, at) => (near === undefined ? (words[at] ?? '') : spell(views, near))),
  );
  const queries = new Set([spelt.join(' '), ...spelt, ...words]);
  const found = await Promise.all(Array.from(queries, (each) => counted(open, each)));
  return found.filter(({ count }) => count > 0);
}

/** The most words that are sought apart. */
const MOST_APART = 4;

/** The query with its words corrected, if it then finds something. */
async function correct(open: OpenEdition, views: RecordViews, q: string): Promise<CountedQuery | undefined> {
  const corrected = await correctQuery(open, q, (word) => spell(views, word));
  if (corrected === undefined) return undefined;
  const found = await counted(open, corrected);
  return found.count > 0 ? found : undefined;
}

/** A valid query, and the number of its results. */
async function counted({ search }: OpenEdition, q: string): Promise<CountedQuery> {
  const { count } = await search.ask((index) => index.search(parseQuery(q), 0, 0));
  return { label: q, q, count };
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The spelling of a folded word in the first record that has it. */
async function spell(views: RecordViews, word: string): Promise<string> {
  const { found } = await views.listHits(parseQuery(`"${word}"`), 1);
  const words = JSON.stringify(found.map(({ record }) => record)).match(WORD) ?? [];
  return words.find((each) => fold(each) === word) ?? word;
}

/** The genders of records that match the query but for its gender. */
async function gendersFor(open: OpenEdition, q: string, language: Language): Promise<CountedQuery[]> {
  const wrong = conditionsOf(q).find(({ clause }) => clause?.type === 'value' && clause.field === 'gender');
  if (!wrong) return [];
  const rest = { q: wrong.without, query: wrong.without === '' ? ALL_RECORDS : parseQuery(wrong.without) };
  const { facets } = await findFacets(open, rest, ['gender'], language);
  return (facets.gender ?? []).flatMap(({ label, count, q: narrowed }) =>
    narrowed === null ? [] : [{ label, count, q: narrowed }],
  );
}

/** The events at places called as a query of free words. */
async function eventsAt(open: OpenEdition, typed: string): Promise<CountedQuery | undefined> {
  const label = typed.replace(QUOTE, '');
  if (typed === '' || !isFreeText(typed) || fold(label) === '') return undefined;
  const q = `kind:event place:"${label}"`;
  if (q.length > MAX_QUERY_LENGTH) return undefined;
  const { count } = await counted(open, q);
  return count > 0 ? { label, q, count } : undefined;
}
