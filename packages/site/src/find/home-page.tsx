import { KINDS, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { LAYOUT_TEXTS, OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { linkTo, linkToFile, type PageContext } from '../layout/page-context.ts';
import { mapOfAll } from '../map/page-map.tsx';
import { Card } from '../record/card.tsx';
import type { PageRecord } from '../record/page-record.ts';
import { type Decade, DecadeBars } from './decade-bars.tsx';
import { FIND_TEXTS } from './find-texts.ts';
import { SearchForm } from './search-form.tsx';

/** The content of the home page. */
export interface HomeData {
  description: string | undefined;
  publisher: string | undefined;
  licence: { name: string; url: string } | undefined;
  counts: Readonly<Record<Kind, number>>;
  decades: readonly Decade[];
  /** The subjects at the top of the hierarchy. */
  top: readonly PageRecord[];
  /** The most recently changed records, newest first. */
  newest: readonly PageRecord[];
}

/** The home page: the description of the archive, and links into it. */
export function homePage(page: PageContext, data: HomeData): string {
  const texts = FIND_TEXTS[page.language];
  const { description, publisher, licence, counts, decades, top, newest } = data;
  const places = mapOfAll(page, counts.location);
  return renderPage({
    page,
    title: page.archiveName ?? LAYOUT_TEXTS[page.language].archive,
    description: description ?? page.archiveName ?? LAYOUT_TEXTS[page.language].archive,
    translation: `${OTHER_LANGUAGE[page.language]}/`,
    feed: `${page.language}/feed.atom`,
    styles: ['record.css', 'find.css', ...(places?.styles ?? [])],
    scripts: ['suggest.js', ...(places?.scripts ?? [])],
    children: (
      <>
        <main id="main" class="wide home">
          <h1>{page.archiveName ?? LAYOUT_TEXTS[page.language].archive}</h1>
          {description !== undefined && <p class="lead">{description}</p>}
          <SearchForm page={page} />
          <ul class="counts">
            {KINDS.map((kind) => (
              <li key={kind}>
                <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS[kind]}/`)}>
                  <strong>{counts[kind].toLocaleString(page.language)}</strong> {texts.kinds[kind]}
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
            <section>
              <h2>
                <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS.location}/`)}>
                  {texts.kinds.location}
                </a>
              </h2>
              {places.map}
            </section>
          )}
          {top.length > 0 && (
            <section>
              <h2>
                <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS.subject}/`)}>{texts.kinds.subject}</a>
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
        {(publisher || licence) && (
          <footer class="site-footer">
            <div class="wide">
              {publisher && (
                <p>
                  {texts.publisher}: {publisher}
                </p>
              )}
              {licence && (
                <p>
                  {texts.licence}:{' '}
                  <a href={licence.url} rel="license noopener">
                    {licence.name}
                  </a>
                </p>
              )}
            </div>
          </footer>
        )}
      </>
    ),
  });
}
