import { failedSearchPage } from '@archiefkast/site/failed-search';
import {
  type CountedQuery,
  type DateChoice,
  type Refinement,
  searchPage,
} from '@archiefkast/site/search-results';
import type { Facets, Language } from '@archiefkast/types';
import { correctQuery } from '../../../edition/correct-query.ts';
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
  type Query,
  QueryError,
  rangeOf,
  withRange,
} from '../../../search/index.ts';
import type { PageRequest } from '../../page.ts';
import { orderOf, pageOf } from '../../parameters.ts';
import { describeFault } from '../../search-problems.ts';
import { lastPage } from '../lists.ts';

/** Hits on a page. */
const HITS = 20;

/** The page of search. */
export async function writeSearch({ language, parameters, open, page, views }: PageRequest): Promise<string> {
  const { q, query } = readQuery(parameters);
  if (query instanceof QueryError) {
    return failedSearchPage(page, q, describeFault(query.fault, language), query.corrections);
  }
  const pageNumber = pageOf(parameters);
  const offset = (pageNumber - 1) * HITS;
  const [{ found, count }, { facets }] = await Promise.all([
    views.listHits(query, HITS, { order: orderOf(parameters, language), offset }),
    findFacets(open, { q, query }, FACETS, language),
  ]);
  const counts = Object.fromEntries((facets.kind ?? []).map(({ value, count: ofKind }) => [value, ofKind]));
  const isNothing = count === 0 && q !== '';
  return searchPage(page, {
    q,
    sort: parameters.get('sort') ?? 'relevance',
    pageNumber,
    lastPage: lastPage(parameters, count, HITS),
    count,
    first: offset + 1,
    counts,
    results: found,
    refinement: refine(q, facets, counts),
    corrected: isNothing ? await correct(open, views, q) : undefined,
    values: isNothing ? await gendersFor(open, q, language) : [],
    happened: count > 0 ? await eventsAt(open, q) : undefined,
  });
}

/** The query of a request, with its range of dates, and parsed; or the error of an invalid one. */
function readQuery(parameters: URLSearchParams): { q: string; query: Query | QueryError } {
  const typed = parameters.get('q') ?? '';
  try {
    const field = DATE_FIELDS.find((each) => each === parameters.get('date'));
    const [from = '', to = ''] = ['from', 'to'].map((name) => parameters.get(name) ?? '');
    if (field) parse(typed);
    const q = field ? withRange(typed, { field, from, to }) : typed;
    return { q, query: parse(q) };
  } catch (error) {
    if (error instanceof QueryError) return { q: typed, query: error };
    throw error;
  }
}

function parse(q: string): Query {
  return q === '' ? ALL_RECORDS : parseQuery(q);
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

/** The query with its words corrected, if it then finds something. */
async function correct(open: OpenEdition, views: RecordViews, q: string): Promise<string | undefined> {
  const corrected = await correctQuery(open, q, (word) => spell(views, word));
  return corrected !== undefined && (await countHits(open, corrected)) > 0 ? corrected : undefined;
}

async function countHits({ search }: OpenEdition, q: string): Promise<number> {
  return (await search.ask((index) => index.search(parseQuery(q), 0, 0))).count;
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
  const rest = { q: wrong.without, query: parse(wrong.without) };
  const { facets } = await findFacets(open, rest, ['gender'], language);
  return (facets.gender ?? []).flatMap(({ label, count, q: narrowed }) =>
    narrowed === null ? [] : [{ label, count, q: narrowed }],
  );
}

/** The events at places called as a query of free words. */
async function eventsAt(open: OpenEdition, typed: string): Promise<CountedQuery | undefined> {
  const label = typed.replace(/["“”„]/g, '');
  if (typed === '' || !isFreeText(typed) || fold(label) === '') return undefined;
  const q = `kind:event place:"${label}"`;
  const count = q.length > MAX_QUERY_LENGTH ? 0 : await countHits(open, q);
  return count > 0 ? { label, q, count } : undefined;
}
