import { type RecordView, wordingOf } from '@archiefkast/formats/record-view';
import { KINDS, type Kind, LANGUAGES, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { card, cardList, cards, thumbnail } from './cards.tsx';
import { type DateBar, dateBars } from './date-bars.tsx';
import type { Children } from './jsx-runtime.ts';
import { renderPage } from './layout.tsx';
import { mapOfAll } from './map.tsx';
import type { Page } from './page.ts';
import { contentOf, pictureOf } from './record.ts';
import { searchForm, searchHelpLink } from './search-form.tsx';

export interface HomeData {
  description: string | undefined;
  /** The text that the archive has for it. */
  text: Children;
  /** The publisher: its name, and the IRI that linked data has of it. */
  publisher: { name: string; id: string } | undefined;
  counts: Readonly<Record<Kind, number>>;
  bars: readonly DateBar[];
  /** The records that the archive names for it, else some with a picture and a text. */
  highlights: readonly RecordView[];
  /** The subjects at the top of the hierarchy. */
  top: readonly RecordView[];
  /** The most recently changed records, newest first. */
  newest: readonly RecordView[];
}

/** Whether a record has a picture and a text, so that it may stand for the archive. */
export function isTelling(record: RecordView, language: Language): boolean {
  const texts = [wordingOf(record, 'summary', language), contentOf(record, language)];
  return pictureOf(record) !== undefined && texts.some(({ text }) => text !== '');
}

/** The home page: the description of the archive, and links into it. */
export function homePage(page: Page, data: HomeData): string {
  const { language, t, name } = page;
  const { description, text, publisher, counts, bars, highlights, top, newest } = data;
  const linkToList = (kind: Kind) => page.link(`${language}/${PAGE_SEGMENTS[kind]}/`);
  const listLink = (kind: Kind) => <a href={linkToList(kind)}>{t.kinds[kind].many}</a>;
  return renderPage(page, {
    title: name,
    description: description ?? name,
    translation: `${page.otherLanguage}/`,
    data: homeData(page, publisher),
    hasSearch: true,
    footer: publisher && (
      <p>
        {t.publisher}: {publisher.name}
      </p>
    ),
    children: (
      <main id="main" class="wide home">
        <h1>{name}</h1>
        {description !== undefined && <p class="lead">{description}</p>}
        {text}
        {searchForm(page)}
        {searchHelpLink(page)}
        <ul class="counts">
          {KINDS.map((kind) => (
            <li>
              <a href={linkToList(kind)}>
                <strong>{page.number(counts[kind])}</strong> {t.kinds[kind].many}
              </a>{' '}
              <span class="fact">{t.waysOfKind[kind]}</span>
            </li>
          ))}
        </ul>
        {section(
          t.highlights,
          cardList(highlights.map((record) => card(page, record, { before: thumbnail(page, record) }))),
        )}
        {section(t.timeline, dateBars(page, bars, counts.event))}
        {section(listLink('location'), mapOfAll(page, counts.location))}
        {section(listLink('subject'), cards(page, top))}
        {section(
          t.newest,
          cards(page, newest),
          <p class="small">
            <a href={page.linkToFile(`${language}/feed.atom`)}>{t.feed}</a>
          </p>,
        )}
      </main>
    ),
  });
}

/** A section under a heading; nothing if it has no content. */
function section(title: Children, content: Children, more?: Children) {
  return (
    content && (
      <section>
        <h2>{title}</h2>
        {content}
        {more}
      </section>
    )
  );
}

/** The archive as structured data (schema.org): a site about the dataset, which has a page of its own. */
function homeData(
  { baseUrl, naming, language, name }: Page,
  publisher: HomeData['publisher'],
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    '@id': `${baseUrl}/`,
    url: `${baseUrl}/${language}/`,
    name,
    inLanguage: LANGUAGES,
    about: { '@id': `${naming.identity}/dataset` },
    ...(publisher && {
      publisher: {
        ...{ '@id': publisher.id, '@type': 'Organization' },
        name: { '@value': publisher.name, '@language': language },
      },
    }),
  };
}
