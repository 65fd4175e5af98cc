import { type FoundRecord, wordingOf } from '@archiefkast/formats/record-view';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { factOf, type NameStyle, paragraph, recordLink, thumbnail } from './cards.tsx';
import { type DateBar, dateBars } from './date-bars.tsx';
import { faultNotice, type SearchFault } from './failed-search.tsx';
import { pager } from './list-page.tsx';
import { isLocated, onMap, pageMap } from './map.tsx';
import { snippetOf, wordsToMark } from './mark-words.tsx';
import type { Page, Query } from './page.ts';
import { contentOf, kindName, plainText } from './record.ts';
import { searchFrame } from './search-frame.tsx';
import type { Texts } from './texts.ts';

/** A query that a page links to, with what it is called. */
export interface LinkedQuery {
  label: string;
  q: string;
}

/** A linked query, and the number of its results. */
export interface CountedQuery extends LinkedQuery {
  count: number;
}

/** The date fields of results, and the chosen range of one of them. */
export interface DateChoice {
  fields: readonly (keyof Texts['dates'])[];
  field: string;
  from: string;
  to: string;
}

/** What refines a search: the conditions in use, values of facets, and dates. */
export interface Refinement {
  /** The conditions of the query; each links to the query without it. */
  used: readonly LinkedQuery[];
  facets: readonly { name: keyof Texts['facets']; values: readonly CountedQuery[] }[];
  /** Absent if no result can have a date. */
  dates?: DateChoice;
}

/** An invalid query, in whose place the nearest valid one is shown. */
export interface CorrectedQuery {
  typed: string;
  fault: SearchFault;
  /** The other corrections. */
  others: readonly CountedQuery[];
}

/** Results by date. */
export interface DatedResults {
  field: keyof Texts['dates'];
  bars: readonly DateBar[];
}

export interface SearchData {
  q: string;
  /** The invalid query that `q` corrects. */
  corrects: CorrectedQuery | undefined;
  sort: string;
  pageNumber: number;
  lastPage: number;
  count: number;
  /** Number of the first result on the page. */
  first: number;
  /** Number of results of each kind. */
  counts: Readonly<Partial<Record<Kind, number>>>;
  results: readonly FoundRecord[];
  refinement: Refinement;
  /** The query with its words corrected, if it finds nothing. */
  corrected: CountedQuery | undefined;
  /** The words of a query that finds nothing, each with what it finds. */
  apart: readonly CountedQuery[];
  bars: DatedResults | undefined;
  /** Values of a field that has no such value. */
  values: readonly CountedQuery[];
  /** The events at places called as the query. */
  happened: CountedQuery | undefined;
}

/** The search page: results with highlighted words, and filters. */
export function searchPage(page: Page, data: SearchData): string {
  const { t } = page;
  const { q, corrects, sort, count, results } = data;
  const query = queryOf(q, sort);
  const hasMap = results.some(({ record, location }) => isLocated(location ?? record));
  const style = { words: wordsToMark(q), isSorted: sort === 'name' };
  return searchFrame(
    page,
    corrects?.typed ?? q,
    <div class="found">
      {refine(page, data.refinement, query)}
      <div class="hits">
        {corrects && corrected(page, corrects, { label: q, q, count })}
        {usedConditions(page, data.refinement.used, query)}
        <p class="facts" role="status">
          {count === 0
            ? `${t.nothing} ${data.corrected === undefined ? t.hint : ''}`
            : t.results(count, page.number(count))}
        </p>
        {waysOn(page, data)}
        {data.bars && barsOfResults(page, data.bars, data.counts)}
        {count > 1 && sorts(page, q, sort)}
        <ol class="results" start={data.first}>
          {results.map((found) => result(page, found, style))}
        </ol>
        {pager(page, data.pageNumber, data.lastPage, query)}
        {count > 0 && asData(page, query, data.counts)}
      </div>
      {hasMap && (
        <div class="found-map">
          <h2>{t.onMap}</h2>
          {pageMap(page)}
        </div>
      )}
    </div>,
  );
}

/** What is wrong with the query as typed, what is shown in its place, and the other corrections. */
function corrected(page: Page, { fault, others }: CorrectedQuery, shown: CountedQuery) {
  const { t } = page;
  return faultNotice(
    page,
    fault,
    <>
      <p class="instead">
        {t.shown} {countedLink(page, shown)}
      </p>
      {others.length > 0 && (
        <p class="instead">
          {t.instead} {others.map((each) => countedLink(page, each))}
        </p>
      )}
    </>,
  );
}

/** What helps a reader on: a corrected query, its words apart, the values of a field, or what happened at a place. */
function waysOn(page: Page, { corrected, apart, values, happened }: SearchData) {
  const { t } = page;
  const link = (query: CountedQuery) => countedLink(page, query);
  const ways = [
    corrected !== undefined && [t.didYouMean, ' ', countedLink(page, corrected)],
    apart.length > 0 && [t.apart, ' ', apart.map(link)],
    values.length > 0 && [t.values, ' ', values.map(link)],
    happened && link({ ...happened, label: t.happened(happened.label) }),
  ];
  return ways.map((way) => way && <p class="instead">{way}</p>);
}

/** The results through time. */
function barsOfResults(page: Page, { field, bars }: DatedResults, counts: SearchData['counts']) {
  const chart = dateBars(page, bars, counts[field === 'date' ? 'event' : 'person'] ?? 0);
  const name = `${page.t.dateField} (${page.t.dates[field]})`;
  return (
    chart && (
      <section class="found-dates" aria-label={name}>
        <p class="small" aria-hidden="true">
          {name}
        </p>
        {chart}
      </section>
    )
  );
}

/** The parameters of a search, without their defaults. */
function queryOf(q: string, sort: string) {
  return { ...(q !== '' && { q }), ...(sort !== 'relevance' && { sort }) };
}

function sorts(page: Page, q: string, current: string) {
  return (
    <p class="sorts small">
      {page.t.sort}{' '}
      {Object.entries(page.t.sorts).map(([sort, words]) => (
        <a
          href={page.linkWith(queryOf(q, sort))}
          rel="nofollow"
          {...(sort === current && { 'aria-current': 'true' as const })}
        >
          {words}
        </a>
      ))}
    </p>
  );
}

function result(page: Page, { record, location }: FoundRecord, style: Required<NameStyle>) {
  const { words } = style;
  const content = contentOf(record, page.language);
  const snippet = snippetOf(plainText(content.text), words) ?? '';
  return (
    <li {...onMap(location ?? record)}>
      {thumbnail(page, record)}
      {recordLink(page, record, style)}{' '}
      <span class="fact">{[kindName(record, page.t), factOf(page, record)].filter(Boolean).join(' · ')}</span>
      {paragraph(page, 'summary', wordingOf(record, 'summary', page.language), words)}
      {paragraph(page, 'snippet', { ...content, text: snippet }, words)}
    </li>
  );
}

/** The conditions in use, each with a link that removes it. */
function usedConditions(page: Page, used: readonly LinkedQuery[], query: Query) {
  if (used.length === 0) return null;
  return (
    <ul class="used" aria-label={page.t.used}>
      {used.map(({ label, q }) => (
        <li>
          <a href={page.linkWith({ ...query, q })} rel="nofollow" aria-label={page.t.remove(label)}>
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Facets and dates, folded on narrow screens. */
function refine(page: Page, { facets, dates }: Refinement, query: Query) {
  const { t } = page;
  const useful = facets.filter(({ values }) => values.length > 0);
  if (useful.length === 0 && !dates) return null;
  return (
    <details class="refine">
      <summary>{t.narrow}</summary>
      {useful.length > 0 && (
        <nav class="facets" aria-label={t.narrow}>
          {useful.map(({ name, values }) => (
            <details open={name === 'kind'}>
              <summary>{t.facets[name]}</summary>
              <ul>
                {values.map((value) => (
                  <li>{countedLink(page, value, query)}</li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
      )}
      {dates && dateForm(page, dates, query)}
    </details>
  );
}

/** A link to a search, and the number of its results. */
function countedLink(page: Page, { label, count, q }: CountedQuery, query: Query = {}) {
  return (
    <>
      <a href={page.linkWith({ ...query, q })} rel="nofollow">
        {label}
      </a>{' '}
      <span class="count">{page.number(count)}</span>{' '}
    </>
  );
}

/** The years between which a date of the results lies. */
function dateForm({ t, edition }: Page, dates: DateChoice, query: Query) {
  const hidden = { ...query, ...(edition !== undefined && { edition }) };
  return (
    <form class="dates" method="get">
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label>
        {t.dateField}{' '}
        <select name="date">
          {dates.fields.map((field) => (
            <option value={field} selected={field === dates.field}>
              {t.dates[field]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.from} <input type="text" name="from" value={dates.from} placeholder="1600" autocomplete="off" />
      </label>
      <label>
        {t.to} <input type="text" name="to" value={dates.to} placeholder="1699" autocomplete="off" />
      </label>
      <button type="submit">{t.choose}</button>
    </form>
  );
}

/** Links to download all results: JSON in pages; RIS in one file; CSV and GeoJSON in one per kind. */
function asData(page: Page, query: Query, counts: SearchData['counts']) {
  const { language, t } = page;
  const text = new URLSearchParams(query).toString();
  const link = (path: string) => page.link(`${language}/api/${path}${text === '' ? '' : `?${text}`}`);
  const found = KINDS.filter((kind) => counts[kind]);
  const onMaps = found.filter((kind) => kind === 'location' || kind === 'event');
  const form = (name: string, kinds: readonly Kind[], pathOf: (collection: string) => string) =>
    kinds.length > 0 && (
      <dd>
        {name}:{' '}
        {kinds.map((kind) => (
          <a href={link(pathOf(COLLECTIONS[kind]))} aria-label={`${name}: ${t.kinds[kind].many}`}>
            {t.kinds[kind].many.toLocaleLowerCase(language)}
          </a>
        ))}
      </dd>
    );
  return (
    <dl class="as-data small">
      <dt>{t.asData}</dt>
      <dd>
        <a href={link('search')}>JSON</a>
      </dd>
      <dd>
        <a href={link('search.ris')}>RIS (Zotero)</a>
      </dd>
      {form('CSV', found, (collection) => `dump/${collection}.csv`)}
      {form('GeoJSON', onMaps, (collection) => `${collection}.geojson`)}
    </dl>
  );
}
