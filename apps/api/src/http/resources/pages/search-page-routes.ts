import {
  type CountedQuery,
  type DateChoice,
  type ExampleName,
  faultPage,
  type LinkedQuery,
  type ListedRecord,
  type Refinement,
  type SearchExample,
  searchHelpPage,
  searchPage,
} from '@archiefkast/site';
import type { Facets, Language } from '@archiefkast/types';
import { correctQuery } from '../../../edition/correct-query.ts';
import { facetsNamed, findFacets } from '../../../edition/find-facets.ts';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import {
  ALL_RECORDS,
  conditionsOf,
  DATE_FIELDS,
  type FacetName,
  fold,
  isFreeText,
  MAX_QUERY_LENGTH,
  narrowedQuery,
  parseQuery,
  type Query,
  QueryError,
  rangeOf,
  withRange,
  wordsOf,
} from '../../../search/index.ts';
import { pageOf } from '../../parameters.ts';
import type { Answer, ArchiveRequest, Route } from '../../route.ts';
import { describeFault } from '../../search-problems.ts';
import { createPageContext, htmlAnswer, lastPage, pageRoute } from './page-context.ts';
import type { FoundRecords, PageDependencies, PageReader } from './page-reader.ts';
import { createLocationLookUp } from './record-relations.ts';

/** Hits on a page. */
const HITS = 20;

/** Search for people, and its help. */
export function searchPageRoutes(dependencies: PageDependencies): Route[] {
  return [
    {
      ...pageRoute('/zoeken/', 'Search page', 'Search for people, with facets.'),
      parameters: ['date', 'edition', 'from', 'page', 'q', 'sort', 'to'],
      handle: (request) => search(request, dependencies),
    },
    {
      ...pageRoute(
        '/zoeken/hulp/',
        'Help on search',
        'Queries that find something in the archive, explained.',
      ),
      parameters: ['edition'],
      handle: (request) => help(request, dependencies),
    },
  ];
}

async function search(
  { language, parameters, open }: ArchiveRequest,
  dependencies: PageDependencies,
): Promise<Answer> {
  const named = parameters.get('edition');
  const context = createPageContext(dependencies, language, `${language}/zoeken/`, open.edition, named);
  const { q, query } = readQuery(parameters);
  if (query instanceof QueryError) {
    const [fault, expected] = describeFault(query.fault, language);
    return htmlAnswer(faultPage(context, { q, fault, expected, corrections: query.corrections }));
  }
  const sort = parameters.get('sort') ?? 'relevance';
  const pageNumber = pageOf(parameters);
  const reader = dependencies.openPages(open, language);
  const order = sort === 'name' ? reader.byName : sort === 'date' || sort === '-date' ? sort : undefined;
  const [found, { facets }] = await Promise.all([
    reader.find(query, order, HITS, (pageNumber - 1) * HITS),
    findFacets(open, { q, query }, facetsNamed(''), language),
  ]);
  const { records: results, count } = found;
  const counts = Object.fromEntries((facets.kind ?? []).map(({ value, count: ofKind }) => [value, ofKind]));
  const happened = count > 0 ? await eventsAt(open, q) : undefined;
  const text = searchPage(context, {
    q,
    sort,
    pageNumber,
    lastPage: lastPage(pageNumber, count, HITS),
    count,
    counts,
    results,
    places: await findPlaces(reader, found),
    refinement: refine(q, facets, counts),
    corrections: count === 0 && q !== '' ? await corrected(open, reader, q) : [],
    values: count === 0 && q !== '' ? await gendersFor(open, q, language) : [],
    ...(happened && { happened }),
  });
  return htmlAnswer(text);
}

/** The query of a request, with its range of dates, and parsed; or the error of an invalid one. */
function readQuery(parameters: URLSearchParams): { q: string; query: Query | QueryError } {
  const typed = parameters.get('q') ?? '';
  try {
    if (typed !== '') parseQuery(typed);
    const field = DATE_FIELDS.find((each) => each === parameters.get('date'));
    const [from, to] = ['from', 'to'].map((name) => parameters.get(name) ?? '');
    const q = field ? withRange(typed, { field, from: from ?? '', to: to ?? '' }) : typed;
    return { q, query: q === '' ? ALL_RECORDS : parseQuery(q) };
  } catch (error) {
    if (error instanceof QueryError) return { q: typed, query: error };
    throw error;
  }
}

/** The conditions in use, the values that narrow the query, and the dates that results can have. */
function refine(q: string, facets: Facets['facets'], counts: Readonly<Record<string, number>>): Refinement {
  const labels = new Map<string, string>();
  const narrowing = Object.entries(facets).map(([name, values = []]) => ({
    name,
    values: values.flatMap(({ label, value, count, q: narrowed }): CountedQuery[] => {
      if (narrowed !== q) return narrowed === null ? [] : [{ label, count, q: narrowed }];
      const facet = facetsNamed(name)[0];
      if (facet) labels.set(JSON.stringify(clauseOf(facet, value)), label);
      return [];
    }),
  }));
  const used = conditionsOf(q).map(
    ({ text, clause, without }): LinkedQuery => ({
      label: (clause && labels.get(JSON.stringify(clause))) ?? text,
      q: without,
    }),
  );
  const dates = datesOf(q, counts);
  return { used, facets: narrowing, ...(dates && { dates }) };
}

/** The clause of a value of a facet. */
function clauseOf(facet: FacetName, value: string) {
  const narrowed = narrowedQuery('', facet, value);
  return narrowed === undefined ? undefined : parseQuery(narrowed).clauses[0];
}

/** The date fields of the kinds of the results, and the range that the query has. */
function datesOf(q: string, counts: Readonly<Record<string, number>>): DateChoice | undefined {
  const range = rangeOf(q);
  const fields = DATE_FIELDS.filter(
    (field) => range?.field === field || counts[field === 'date' ? 'event' : 'person'],
  );
  const [field] = fields;
  if (field === undefined) return undefined;
  return { fields, ...(range ?? { field, from: '', to: '' }) };
}

/** The query with its words corrected, if it then finds something. */
async function corrected(open: OpenEdition, reader: PageReader, q: string): Promise<LinkedQuery[]> {
  const found = await correctQuery(open, q, (word) => spell(reader, word));
  if (found === undefined) return [];
  const { count } = await open.search.search(parseQuery(found), 0, 0);
  return count > 0 ? [{ label: found, q: found }] : [];
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The spelling of a folded word in the first record that has it. */
async function spell(reader: PageReader, word: string): Promise<string> {
  const { records } = await reader.find(parseQuery(`"${word}"`), undefined, 1);
  const words = JSON.stringify(records).match(WORD) ?? [];
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
  const label = typed.replace(/["“”„]/g, '');
  if (typed === '' || !isFreeText(typed) || fold(label) === '') return undefined;
  const q = `kind:event place:"${label}"`;
  if (q.length > MAX_QUERY_LENGTH) return undefined;
  const { count } = await open.search.search(parseQuery(q), 0, 0);
  return count > 0 ? { label, q, count } : undefined;
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

async function help(
  { language, parameters, open }: ArchiveRequest,
  dependencies: PageDependencies,
): Promise<Answer> {
  const named = parameters.get('edition');
  const context = createPageContext(dependencies, language, `${language}/zoeken/hulp/`, open.edition, named);
  const examples: SearchExample[] = [];
  for (const { name, q } of await exampleQueries(open, language)) {
    const { count } = await open.search.search(parseQuery(q), 0, 0);
    if (count > 0) examples.push({ name, q, count });
  }
  return htmlAnswer(searchHelpPage(context, examples));
}

/** Queries with frequent values of the archive. */
async function exampleQueries(
  open: OpenEdition,
  language: Language,
): Promise<{ name: ExampleName; q: string }[]> {
  const { search } = open;
  const events = parseQuery('kind:event');
  const [names, all, ofEvents] = [
    await search.suggest({ field: 'last_name', language }, '', 1),
    await search.facets(ALL_RECORDS, ['century', 'city', 'subject', 'gender'], language, 2),
    await search.facets(events, ['century', 'city'], language, 2),
  ];
  const valuesOf = (result: typeof all, facet: FacetName) =>
    result.facets.find((each) => each.facet === facet)?.values.map(({ value, name }) => name ?? value) ?? [];
  const [name = ''] = names.map(({ value }) => value);
  const [subject = ''] = valuesOf(all, 'subject');
  const [city = '', other = ''] = valuesOf(all, 'city');
  const [place = ''] = valuesOf(ofEvents, 'city');
  const [first = '', last = ''] = [Number(valuesOf(ofEvents, 'century')[0] ?? Number.NaN)].flatMap(
    (century) => (Number.isNaN(century) ? [] : [String(century * 100 - 99), String(century * 100)]),
  );
  const [word = ''] = wordsOf(subject);
  const queries: [ExampleName, values: string[], q: string][] = [
    ['word', [word], word],
    ['words', [name, city], `${name} ${city}`],
    ['phrase', [subject], `"${subject}"`],
    ['either', [city, other], `"${city}" OR "${other}"`],
    ['start', word.length > 4 ? [word] : [''], `${word.slice(0, 4)}*`],
    ['without', [city], `"${city}" -kind:person`],
    ['last_name', [name], `last_name:${name}`],
    ['born', [first], `birth_date:${first}..${last}`],
    ['women', ['female'], 'kind:person gender:female birth_date:..1700'],
    ['place', [city], `place:"${city}"`],
    ['events', [place], `kind:event city:"${place}"`],
    ['events_in_years', [place, first], `kind:event city:"${place}" date:${first}..${last}`],
  ];
  return queries.flatMap(([example, values, q]) =>
    values.every((value) => value !== '' && !/["“”„:]/.test(value)) ? [{ name: example, q }] : [],
  );
}
