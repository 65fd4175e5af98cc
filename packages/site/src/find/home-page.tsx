import { KINDS, type Kind, LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import { LAYOUT_TEXTS, OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { linkTo, linkToFile, type PageContext } from '../layout/page-context.ts';
import { mapOfAll } from '../map/page-map.tsx';
import { Card } from '../record/card.tsx';
import type { ListedRecord, PageRecord } from '../record/page-record.ts';
import { type Decade, DecadeBars } from './decade-bars.tsx';
import { FIND_TEXTS } from './find-texts.ts';
import { SearchForm } from './search-form.tsx';

/** A file with all records of a kind. */
export interface HomeDump {
  /** Path below the base URL. */
  path: string;
  contentType: string;
}

/** The content of the home page. */
export interface HomeData {
  description: string | undefined;
  publisher: string | undefined;
  counts: Readonly<Record<Kind, number>>;
  decades: readonly Decade[];
  dumps: readonly HomeDump[];
  publishedAt: Date;
  /** The subjects at the top of the hierarchy. */
  top: readonly ListedRecord[];
  /** The most recently changed records, newest first. */
  newest: readonly PageRecord[];
}

/** The home page: the description of the archive, and links into it. */
export function homePage(page: PageContext, data: HomeData): string {
  const texts = FIND_TEXTS[page.language];
  const { kinds } = LAYOUT_TEXTS[page.language];
  const { description, publisher, counts, decades, top, newest } = data;
  const places = mapOfAll(page, counts.location);
  return renderPage({
    page,
    title: page.archiveName ?? LAYOUT_TEXTS[page.language].archive,
    description: description ?? page.archiveName ?? LAYOUT_TEXTS[page.language].archive,
    translation: `${OTHER_LANGUAGE[page.language]}/`,
    data: homeData(page, data),
    styles: ['record.css', 'find.css', ...(places?.styles ?? [])],
    scripts: ['suggest.js', ...(places?.scripts ?? [])],
    footer: publisher && (
      <p>
        {texts.publisher}: {publisher}
      </p>
    ),
    children: (
      <main id="main" class="wide home">
        <h1>{page.archiveName ?? LAYOUT_TEXTS[page.language].archive}</h1>
        {description !== undefined && <p class="lead">{description}</p>}
        <SearchForm page={page} />
        <ul class="counts">
          {KINDS.map((kind) => (
            <li key={kind}>
              <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS[kind]}/`)}>
                <strong>{counts[kind].toLocaleString(page.language)}</strong> {kinds[kind]}
              </a>{' '}
              <span class="fact">
                {kind === 'subject' ? texts.tree : kind === 'event' ? texts.byDecade : texts.byName}
              </span>
            </li>
          ))}
        </ul>
        {decades.length > 1 && (
          <section>
            <h2>{texts.timeline}</h2>
            <p class="soft">{texts.timelineLead}</p>
            <DecadeBars page={page} decades={decades} />
          </section>
        )}
        {places && (
          <section class="all-places">
            <h2>
              <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS.location}/`)}>{kinds.location}</a>
            </h2>
            {places.map}
          </section>
        )}
        {top.length > 0 && (
          <section>
            <h2>
              <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS.subject}/`)}>{kinds.subject}</a>
            </h2>
            <ul class="cards columns-3">
              {top.map((subject) => (
                <Card key={subject.uuid} page={page} record={subject} />
              ))}
            </ul>
          </section>
        )}
        {newest.length > 0 && (
          <section>
            <h2>{texts.newest}</h2>
            <ul class="cards columns-3">
              {newest.map((record) => (
                <Card key={record.uuid} page={page} record={record} />
              ))}
            </ul>
            <p class="small">
              <a href={linkToFile(page, `${page.language}/feed.atom`)}>{texts.feed}</a>
            </p>
          </section>
        )}
      </main>
    ),
  });
}

/** The archive as structured data (schema.org): a site that can be searched, and a dataset that can be downloaded. */
function homeData(page: PageContext, data: HomeData): Record<string, unknown> {
  const { baseUrl, language, licence } = page;
  const name = page.archiveName ?? LAYOUT_TEXTS[language].archive;
  const first = data.decades[0];
  const last = data.decades.at(-1);
  const publisher = data.publisher && { '@type': 'Organization', name: data.publisher };
  const site = {
    '@type': 'WebSite',
    '@id': `${baseUrl}/`,
    url: `${baseUrl}/${language}/`,
    name,
    inLanguage: LANGUAGES,
    ...(publisher && { publisher }),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/${language}/zoeken/?q={query}` },
      'query-input': 'required name=query',
    },
  };
  const dataset = {
    '@type': 'Dataset',
    '@id': `${baseUrl}/en/#dataset`,
    url: `${baseUrl}/${language}/`,
    name,
    description: data.description ?? name,
    dateModified: data.publishedAt.toISOString(),
    isAccessibleForFree: true,
    ...(publisher && { publisher, creator: publisher }),
    ...(licence && { license: licence.url }),
    ...(first && last && { temporalCoverage: `${isoYear(first.start)}/${isoYear(last.start + 9)}` }),
    distribution: data.dumps.map(({ path, contentType }) => ({
      '@type': 'DataDownload',
      contentUrl: `${baseUrl}/${path}`,
      encodingFormat: contentType,
    })),
  };
  return { '@context': 'https://schema.org', '@graph': [site, dataset] };
}

function isoYear(year: number): string {
  return String(year).padStart(4, '0');
}
