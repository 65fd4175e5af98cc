import { graphOf, identityOf, LINKED_CONTEXT, type Links } from '@archiefkast/formats/linked-data';
import { nameOf, type RecordView, type Wording, wordingOf } from '@archiefkast/formats/record-view';
import { COLLECTIONS, type FileObject, PAGE_SEGMENTS } from '@archiefkast/types';
import { paragraph } from './cards.tsx';
import { type Citation, citationMetadata, cite, share } from './cite.tsx';
import { cleanHtml } from './clean-html.ts';
import { oembedPath } from './embed.tsx';
import { type Children, cleanMarkup } from './jsx-runtime.ts';
import { contentNote, renderPage } from './layout.tsx';
import { type LongText, readLongText } from './long-text.ts';
import type { Page } from './page.ts';
import { describe, hasViewer, picture, previewOf, viewerOf } from './picture.tsx';
import { addressOf, contentOf, kindName, langOf, openingOf, pictureOf, recordPath } from './record.ts';

/** What the page of a record of any kind has besides the record. */
export interface RecordPageFacts extends Pick<Citation, 'edition' | 'publishedAt' | 'publisher'> {
  /** Its long text: see `longTextOf`. */
  text: LongText;
  /** The records that it refers to, for structured data. */
  links: Links;
  /** The records around it in the list of its kind. */
  previous: RecordView | undefined;
  next: RecordView | undefined;
  /** The path of the IIIF manifest of a record, if there are manifests. */
  manifestPath?: ((uuid: string) => string) | undefined;
}

/** The long text of a record for its page, cleaned, which takes longer than the rest of it; empty if it has none. */
export function longTextOf({ language, t }: Page, record: RecordView): LongText {
  return readLongText(cleanHtml(contentOf(record, language).text, t));
}

/** A part of the page of a record, under a heading; left out if it has no content. */
export interface RecordSection {
  /** Its fragment. */
  id: string;
  title: string;
  /** Number of its records. */
  count?: number;
  children: Children;
  /** The search for all of them, if the section has the first only. */
  all?: { q: string; sort: string } | false;
}

/** The parts of the page of a record that its kind determines. */
export interface RecordParts {
  /** Links between the list of its kind and the record. */
  trail?: readonly Children[];
  /** Below the name: life dates, place or date. */
  line?: Children;
  /** A map, beside the text or before it. */
  map?: Children;
  /** Below the text. */
  sections: readonly RecordSection[];
  /** Beside the text, or below it. */
  aside?: readonly RecordSection[];
}

/** The page of a record: its name, text and picture, with the parts of its kind, and its structured data. */
export function renderRecordPage(
  page: Page,
  record: RecordView,
  facts: RecordPageFacts,
  parts: RecordParts,
): string {
  const { baseUrl, naming, language, t } = page;
  const { text: name } = nameOf(record, language);
  const { text: summary } = wordingOf(record, 'summary', language);
  const image = pictureOf(record);
  const { manifestPath } = facts;
  const manifest = record.sizes && manifestPath && baseUrl + manifestPath(record.uuid);
  const json = `${language}/api/${COLLECTIONS[record.kind]}/${record.uuid}`;
  const citation = { title: name, address: `${page.canonical}/${page.path}`, ...facts };
  const type = record.kind === 'person' ? 'profile' : 'article';
  return renderPage(page, {
    title: page.titled(name),
    description: summary || openingOf(contentOf(record, language).text) || `${kindName(record, t)}: ${name}`,
    translation: recordPath(page.otherLanguage, record),
    json: page.inEdition(`${page.baseUrl}/${json}`),
    about: identityOf(naming.identity, record.uuid),
    ...(manifest && { manifest: page.inEdition(manifest) }),
    preview: { title: name, type, ...(image && imagePreview(page, record, image, name)) },
    ...(hasViewer(record) && { scripts: ['site.js', 'pictures.js'] }),
    metadata: [
      citationMetadata(page, citation),
      <link
        rel="alternate"
        type="application/json+oembed"
        href={`${baseUrl}/${oembedPath(`${baseUrl}/${page.path}`)}`}
        title={name}
      />,
    ],
    data: {
      '@context': LINKED_CONTEXT,
      ...graphOf(record, facts.links, {
        baseUrl,
        ...naming,
        licence: page.archive?.licence?.url,
        manifestPath,
      }),
    },
    footer: (
      <>
        <p>
          <a href={page.link(json)}>{t.asJson}</a>
          {manifest && (
            <>
              {' · '}
              <a href={viewerLink(page, manifest)} title={t.manifestHelp}>
                {t.manifest}
              </a>
            </>
          )}
        </p>
        {cite(page, record, citation)}
        {share(page, record, citation)}
      </>
    ),
    children: recordFrame(page, record, facts, parts),
  });
}

/** A link to a manifest that can be dragged into a IIIF viewer: viewers read its parameter `manifest`. */
function viewerLink(page: Page, manifest: string): string {
  const parameter = `manifest=${encodeURIComponent(page.inEdition(manifest))}`;
  const link = page.inEdition(page.linkToAddress(manifest));
  return `${link}${link.includes('?') ? '&' : '?'}${parameter}`;
}

/** The preview of a picture for sharing (Open Graph): one of its sizes, if there are some. */
function imagePreview(page: Page, record: RecordView, image: FileObject, name: string) {
  const { address, width, height } = previewOf(page, record, image);
  return {
    image: address,
    ...{ 'image:width': width, 'image:height': height, 'image:alt': describe(image, name) },
  };
}

/** The fewest sections for which a page has a list of its contents. */
const FEWEST_LISTED = 3;

function recordFrame(
  page: Page,
  record: RecordView,
  { text, previous, next }: RecordPageFacts,
  { trail = [], line, map, sections, aside = [] }: RecordParts,
) {
  const { language, t } = page;
  const name = nameOf(record, language);
  const content = contentOf(record, language);
  const image = pictureOf(record);
  const files = (record.files ?? []).filter(({ uuid }) => uuid !== image?.uuid);
  const below = [...sections, pictureSection(page, record, files)].filter(({ children }) => children);
  const beside = aside.filter(({ children }) => children);
  const isWide = image || map || beside.length > 0;
  const listLink = (
    <a href={page.link(`${language}/${PAGE_SEGMENTS[record.kind]}/`)}>{t.kinds[record.kind].many}</a>
  );
  return (
    <main id="main" class={`wide record ${record.kind}`}>
      <header class="record-head">
        <nav class="trail" aria-label={t.trail}>
          <ol>
            {[listLink, ...trail].map((link) => (
              <li>{link}</li>
            ))}
          </ol>
        </nav>
        <p class="kind">{kindName(record, t)}</p>
        <h1 {...langOf(name, page)}>{name.text}</h1>
        {line}
        {(record.notes ?? []).map((note) => note !== page.archive?.note && contentNote(page, note))}
        {paragraph(page, 'lead', wordingOf(record, 'summary', language))}
        {contentsList(page, [
          ...(content.text === '' ? [] : [{ id: TEXT_ID, title: t.text, chapters: text.chapters }]),
          ...below,
          ...beside,
        ])}
      </header>
      <div class={isWide ? 'record-body with-aside' : 'record-body'} {...viewerOf(page, record)}>
        {(image || map) && (
          <div class="record-media">
            {image && picture(page, record, image, name.text)}
            {map}
          </div>
        )}
        <div class="record-main">
          {content.text !== '' && recordText(page, content, text)}
          {below.map((one) => section(page, one))}
        </div>
        {beside.length > 0 && <div class="record-aside">{beside.map((one) => section(page, one))}</div>}
      </div>
      {(previous || next) && (
        <nav class="turn" aria-label={t.neighbours}>
          {previous && neighbour(page, previous, 'prev', `← ${t.previous}`)}
          {next && neighbour(page, next, 'next', `${t.next} →`)}
        </nav>
      )}
    </main>
  );
}

function section(page: Page, { id, title, count, children, all }: RecordSection) {
  return (
    <section id={id}>
      <h2>
        {title}
        {count !== undefined && <span class="count"> {page.number(count)}</span>}
      </h2>
      {children}
      {all && (
        <p>
          <a href={page.linkToSearch(all)} rel="nofollow">
            {page.t.all(page.number(count ?? 0))}
          </a>
        </p>
      )}
    </section>
  );
}

interface Listed extends Omit<RecordSection, 'children'> {
  /** The chapters of a long text. */
  chapters?: LongText['chapters'];
}

function contentsList(page: Page, contents: readonly Listed[]) {
  if (contents.length < FEWEST_LISTED && !contents[0]?.chapters?.length) return null;
  return (
    <nav class="on-page" aria-label={page.t.contents}>
      <ul>
        {contents.map(({ id, title, count, chapters = [] }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
            {count !== undefined && <span class="count"> {page.number(count)}</span>}
            {chapters.length > 0 && (
              <ul>
                {chapters.map((chapter) => (
                  <li>
                    <a href={`#${chapter.id}`}>{chapter.title}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function neighbour(page: Page, record: RecordView, relation: 'prev' | 'next', words: string) {
  const name = nameOf(record, page.language);
  return (
    <a class={relation} rel={relation} href={page.link(recordPath(page.language, record))}>
      <span class="fact">{words}</span> <span {...langOf(name, page)}>{name.text}</span>
    </a>
  );
}

/** The fragment of the long text of a record. */
const TEXT_ID = 'full-text';

/** The long text of a record: the only HTML of the archive on a page, cleaned, and folded if it is long. */
function recordText(page: Page, content: Wording, { shown, folded, notes, extent, hasHeadings }: LongText) {
  const { t } = page;
  const extentText = [
    t.words(extent.words),
    extent.chapters > 0 && t.chapters(extent.chapters),
    extent.notes > 0 && t.noteCount(extent.notes),
  ];
  const prose = (part: string) => (
    <div class="prose" {...langOf(content, page)}>
      {cleanMarkup(part)}
    </div>
  );
  return (
    <div class="text" id={TEXT_ID}>
      {content.language !== page.language && <p class="small note">{t.dutchOnly}</p>}
      {hasHeadings && <h2 class="visually-hidden">{t.text}</h2>}
      {prose(shown)}
      {folded !== '' && (
        <details class="folded">
          <summary>
            {t.rest} <span class="count">({extentText.filter(Boolean).join(', ')})</span>
          </summary>
          {prose(folded)}
        </details>
      )}
      {notes !== '' && prose(notes)}
    </div>
  );
}

/** The pictures and other files of a record, except the main picture. */
function pictureSection(page: Page, record: RecordView, files: readonly FileObject[]): RecordSection {
  const title = page.t.pictures;
  const shown = files.map((file) =>
    file.filetype === 'image' ? (
      picture(page, record, file, title, true)
    ) : (
      <a href={page.linkToAddress(addressOf(file))}>{file.title || file.name || addressOf(file)}</a>
    ),
  );
  return { id: 'pictures', title, children: shown.length > 0 && <div class="pictures">{shown}</div> };
}
