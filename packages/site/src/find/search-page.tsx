import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import type { Children } from '../html/jsx-runtime.ts';
import { LAYOUT_TEXTS, OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { MAP_SCRIPTS, MAP_STYLES, onMap, PageMap } from '../map/page-map.tsx';
import { isLocated } from '../map/places.tsx';
import { factOf } from '../record/card.tsx';
import type { ListedRecord, PageRecord } from '../record/page-record.ts';
import { RECORD_TEXTS } from '../record/record-texts.ts';
import { contentOf, kindName, langOf, nameOf, plainText, recordPath, wordingOf } from '../record/wording.ts';
import { FIND_TEXTS } from './find-texts.ts';
import { MarkedText, snippetOf, wordsToMark } from './mark-words.tsx';
import { addressWith, Pager } from './pager.tsx';
import { type CountedQuery, type LinkedQuery, Refine, type Refinement, UsedConditions } from './refine.tsx';
import { SearchForm } from './search-form.tsx';

/** The query of a search, and its results. */
export interface SearchData {
  q: string;
  sort: string;
  pageNumber: number;
  lastPage: number;
  count: number;
  /** Number of results of each kind. */
  counts: Readonly<Partial<Record<Kind, number>>>;
  results: readonly PageRecord[];
  /** The locations of the events among them, by the uuid of the event. */
  places: ReadonlyMap<string, ListedRecord>;
  refinement: Refinement;
  /** Corrected queries, if nothing is found. */
  corrections: readonly LinkedQuery[];
  /** Values of a field that has no such value. */
  values: readonly CountedQuery[];
  /** The events at places called as the query. */
  happened?: CountedQuery;
}

/** A query that is invalid. */
export interface FaultyQuery {
  q: string;
  /** The error, and what was expected, for readers. */
  fault: string;
  expected: string | undefined;
  /** The nearest valid queries. */
  corrections: readonly string[];
}

const SORTS = ['relevance', 'name', 'date', '-date'] as const;

/** The search page: results with highlighted words, and filters. */
export function searchPage(page: PageContext, data: SearchData): string {
  const texts = FIND_TEXTS[page.language];
  const { q, count } = data;
  const hasMap = data.results.some((record) => isLocated(placeOf(record, data)));
  return renderSearch(
    page,
    q,
    hasMap,
    <div class="found">
      <Refine page={page} refinement={data.refinement} query={ownQuery(data)} />
      <div class="hits">
        <UsedConditions page={page} used={data.refinement.used} query={ownQuery(data)} />
        <p class="facts" role="status">
          {count === 0
            ? `${texts.nothing} ${data.corrections.length > 0 ? '' : texts.hint}`
            : texts.found(count, count.toLocaleString(page.language))}
        </p>
        <Forgiveness page={page} data={data} />
        {count > 1 && <Sorts page={page} data={data} />}
        <Results page={page} data={data} />
        <Pager page={page} number={data.pageNumber} last={data.lastPage} query={ownQuery(data)} />
        {count > 0 && <AsData page={page} query={ownQuery(data)} counts={data.counts} />}
      </div>
      {hasMap && (
        <div class="found-map">
          <h2>{RECORD_TEXTS[page.language].onMap}</h2>
          <PageMap page={page} />
        </div>
      )}
    </div>,
  );
}

/** The search page for an invalid query, with links to the nearest valid ones. */
export function faultPage(page: PageContext, { q, fault, expected, corrections }: FaultyQuery): string {
  return renderSearch(
    page,
    q,
    false,
    <div class="fault" role="alert">
      <p>{fault}</p>
      {expected !== undefined && <p>{`${FIND_TEXTS[page.language].expected} ${expected}.`}</p>}
      {corrections.length > 0 && (
        <p>
          {FIND_TEXTS[page.language].instead}{' '}
          {corrections.map((each) => (
            <a key={each} class="instead" href={addressWith(page, { q: each })}>
              <code>{each}</code>
            </a>
          ))}
        </p>
      )}
    </div>,
  );
}

/** What helps a reader on: a corrected query, the values of a field, or what happened at a place. */
function Forgiveness({
  page,
  data: { corrections, values, happened },
}: {
  page: PageContext;
  data: SearchData;
}) {
  const texts = FIND_TEXTS[page.language];
  return (
    <>
      {corrections.map(({ label, q }) => (
        <p key={q} class="instead">
          {texts.didYouMean} <a href={addressWith(page, { q })}>{label}</a>?
        </p>
      ))}
      {values.length > 0 && (
        <p class="instead">
          {texts.values}{' '}
          {values.map(({ label, count, q }) => (
            <span key={q}>
              <a href={addressWith(page, { q })}>{label}</a>{' '}
              <span class="count">{count.toLocaleString(page.language)}</span>{' '}
            </span>
          ))}
        </p>
      )}
      {happened && (
        <p class="instead">
          <a href={addressWith(page, { q: happened.q })}>{texts.happened(happened.label)}</a>{' '}
          <span class="count">{happened.count.toLocaleString(page.language)}</span>
        </p>
      )}
    </>
  );
}

function renderSearch(page: PageContext, q: string, hasMap: boolean, content: Children): string {
  const texts = FIND_TEXTS[page.language];
  const query = q === '' ? '' : `?${new URLSearchParams({ q })}`;
  return renderPage({
    page,
    title: [q === '' ? texts.search : `${q} – ${texts.search}`, page.archiveName].filter(Boolean).join(' · '),
    description: `${texts.searchLabel}: ${q}`,
    translation: `${OTHER_LANGUAGE[page.language]}/zoeken/`,
    query,
    styles: ['record.css', 'find.css', ...(hasMap ? MAP_STYLES : [])],
    scripts: ['suggest.js', ...(hasMap ? MAP_SCRIPTS : [])],
    children: (
      <main id="main" class="wide find">
        <h1>{texts.search}</h1>
        <SearchForm page={page} q={q} />
        {content}
      </main>
    ),
  });
}

function ownQuery({ q, sort }: SearchData): Record<string, string> {
  return { ...(q !== '' && { q }), ...(sort !== 'relevance' && { sort }) };
}

function Sorts({ page, data }: { page: PageContext; data: SearchData }) {
  const texts = FIND_TEXTS[page.language];
  return (
    <p class="sorts small">
      {texts.sort}{' '}
      {SORTS.map((sort) => (
        <a
          key={sort}
          href={addressWith(page, ownQuery({ ...data, sort }))}
          {...(sort === data.sort && { 'aria-current': 'true' as const })}
        >
          {texts.sorts[sort]}
        </a>
      ))}
    </p>
  );
}

function Results({ page, data }: { page: PageContext; data: SearchData }) {
  const words = wordsToMark(data.q);
  return (
    <ol class="results" start={(data.pageNumber - 1) * 20 + 1}>
      {data.results.map((record) => (
        <Result key={record.uuid} page={page} record={record} place={placeOf(record, data)} words={words} />
      ))}
    </ol>
  );
}

/** The record with the coordinates of a result: itself, or the location of an event. */
function placeOf(record: PageRecord, { places }: SearchData): ListedRecord {
  return places.get(record.uuid) ?? record;
}

function Result({
  page,
  record,
  place,
  words,
}: {
  page: PageContext;
  record: PageRecord;
  place: ListedRecord;
  words: readonly string[];
}) {
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const content = contentOf(record, page.language);
  const snippet = snippetOf(plainText(content.text), words);
  const fact = factOf(record, page);
  return (
    <li {...onMap(place)}>
      <a href={linkTo(page, recordPath(page.language, record))} {...langOf(name, page)}>
        <MarkedText text={name.text} words={words} />
      </a>{' '}
      <span class="fact">
        {kindName(record, page.language)}
        {fact && ` · ${fact}`}
      </span>
      {summary.text !== '' && (
        <p class="summary" {...langOf(summary, page)}>
          <MarkedText text={summary.text} words={words} />
        </p>
      )}
      {snippet !== undefined && (
        <p class="snippet" {...langOf(content, page)}>
          <MarkedText text={snippet} words={words} />
        </p>
      )}
    </li>
  );
}

/** The kinds whose records can be on a map. */
const MAPPED: readonly Kind[] = ['location', 'event'];

/** Links to download all results: JSON in pages; CSV and GeoJSON in one file per kind. */
function AsData({
  page,
  query,
  counts,
}: {
  page: PageContext;
  /** The query, as in the address of the page. */
  query: Readonly<Record<string, string>>;
  /** Number of results of each kind. */
  counts: Readonly<Partial<Record<Kind, number>>>;
}) {
  const texts = FIND_TEXTS[page.language];
  const text = new URLSearchParams(query).toString();
  const address = (path: string) =>
    linkTo(page, `${page.language}/api/${path}${text === '' ? '' : `?${text}`}`);
  const found = KINDS.filter((kind) => counts[kind]);
  const forms = [
    { name: 'CSV', kinds: found, path: (kind: Kind) => `dump/${COLLECTIONS[kind]}.csv` },
    {
      name: 'GeoJSON',
      kinds: found.filter((kind) => MAPPED.includes(kind)),
      path: (kind: Kind) => `${COLLECTIONS[kind]}.geojson`,
    },
  ].filter(({ kinds }) => kinds.length > 0);
  return (
    <dl class="as-data small">
      <dt>{texts.asData}</dt>
      <dd>
        <a href={address('search')}>JSON</a>
      </dd>
      {forms.map(({ name, kinds, path }) => (
        <dd key={name}>
          {name}:{' '}
          {kinds.map((kind) => (
            <span key={kind}>
              <a
                href={address(path(kind))}
                aria-label={`${name}: ${LAYOUT_TEXTS[page.language].kinds[kind]}`}
              >
                {LAYOUT_TEXTS[page.language].kinds[kind].toLocaleLowerCase(page.language)}
              </a>{' '}
              <span class="count">{counts[kind]?.toLocaleString(page.language)}</span>
            </span>
          ))}
        </dd>
      ))}
    </dl>
  );
}
