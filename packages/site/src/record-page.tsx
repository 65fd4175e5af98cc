import { graphOf, LINKED_CONTEXT, type Links } from '@archiefkast/formats/linked-data';
import { nameOf, type RecordView, wordingOf } from '@archiefkast/formats/record-view';
import { COLLECTIONS, type FileObject, PAGE_SEGMENTS } from '@archiefkast/types';
import { paragraph } from './cards.tsx';
import { addressOf, type Citation, citationMetadata, cite } from './cite.tsx';
import { cleanHtml, foldHtml } from './clean-html.ts';
import { type Children, cleanMarkup } from './jsx-runtime.ts';
import { renderPage } from './layout.tsx';
import type { Page } from './page.ts';
import { contentOf, kindName, langOf, openingOf, recordPath } from './record.ts';

/** What the page of a record of any kind has besides the record. */
export interface RecordPageFacts extends Pick<Citation, 'edition' | 'publishedAt' | 'publisher'> {
  /** The records that it refers to, for structured data. */
  links: Links;
  /** The records around it in the list of its kind. */
  previous: RecordView | undefined;
  next: RecordView | undefined;
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
  const { baseUrl, language, t } = page;
  const { text: name } = nameOf(record, language);
  const { text: summary } = wordingOf(record, 'summary', language);
  const image = pictureOf(record);
  const json = `${language}/api/${COLLECTIONS[record.kind]}/${record.uuid}`;
  const citation = { title: name, address: `${page.baseUrl}/${page.path}`, ...facts };
  const type = record.kind === 'person' ? 'profile' : 'article';
  return renderPage(page, {
    title: page.titled(name),
    description: summary || openingOf(contentOf(record, language).text) || `${kindName(record, t)}: ${name}`,
    translation: recordPath(page.otherLanguage, record),
    json: page.inEdition(`${page.baseUrl}/${json}`),
    preview: { title: name, type, image: image && addressOf(image) },
    metadata: citationMetadata(page, citation),
    data: {
      '@context': LINKED_CONTEXT,
      ...graphOf(record, facts.links, { baseUrl, licence: page.archive?.licence?.url }),
    },
    footer: (
      <>
        <p>
          <a href={page.link(json)}>{t.asJson}</a>
        </p>
        {cite(page, citation)}
      </>
    ),
    children: recordFrame(page, record, facts, parts),
  });
}

/** The fewest sections for which a page has a list of its contents. */
const FEWEST_LISTED = 3;

function recordFrame(
  page: Page,
  record: RecordView,
  { previous, next }: RecordPageFacts,
  { trail = [], line, map, sections, aside = [] }: RecordParts,
) {
  const { language, t } = page;
  const name = nameOf(record, language);
  const content = contentOf(record, language);
  const image = pictureOf(record);
  const files = (record.files ?? []).filter(({ uuid }) => uuid !== image?.uuid);
  const below = [...sections, pictureSection(page, files)].filter(({ children }) => children);
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
        {paragraph(page, 'lead', wordingOf(record, 'summary', language))}
        {contentsList(page, [
          ...(content.text === '' ? [] : [{ id: TEXT_ID, title: t.text }]),
          ...below,
          ...beside,
        ])}
      </header>
      <div class={isWide ? 'record-body with-aside' : 'record-body'}>
        {(image || map) && (
          <div class="record-media">
            {image && picture(page, image, name.text)}
            {map}
          </div>
        )}
        <div class="record-main">
          {recordText(page, record)}
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

function contentsList(page: Page, contents: readonly Omit<RecordSection, 'children'>[]) {
  if (contents.length < FEWEST_LISTED) return null;
  return (
    <nav class="on-page" aria-label={page.t.contents}>
      <ul>
        {contents.map(({ id, title, count }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
            {count !== undefined && <span class="count"> {page.number(count)}</span>}
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
function recordText(page: Page, record: RecordView) {
  const { t } = page;
  const content = contentOf(record, page.language);
  if (content.text === '') return null;
  const [shown, folded] = foldHtml(cleanHtml(content.text, t));
  const prose = (part: string) => (
    <div class="prose" {...langOf(content, page)}>
      {cleanMarkup(part)}
    </div>
  );
  return (
    <div class="text" id={TEXT_ID}>
      {content.language !== page.language && <p class="small note">{t.dutchOnly}</p>}
      {prose(shown)}
      {folded !== '' && (
        <details class="folded">
          <summary>{t.rest}</summary>
          {prose(folded)}
        </details>
      )}
    </div>
  );
}

/** The main picture of a record. */
function pictureOf({ image, main_image: main, files = [] }: RecordView): FileObject | undefined {
  const first = image ?? main ?? files[0];
  return first?.filetype === 'image' && addressOf(first) !== '' ? first : undefined;
}

/** A picture with its caption, credit and rights. Space is reserved while it loads. */
function picture(page: Page, file: FileObject, name: string) {
  const address = page.linkToAddress(addressOf(file));
  const caption = file.title || file.name;
  const { description } = file;
  const rights = [...new Set([file.alt, file.author, file.copyright])].filter(Boolean);
  return (
    <figure class="picture">
      <a href={address}>
        <img src={address} alt={description || caption || name} width="480" height="600" decoding="async" />
      </a>
      {(caption || description || rights.length > 0) && (
        <figcaption>
          {caption && <span class="caption">{caption}</span>}{' '}
          {description && description !== caption && <span class="fact">{description}</span>}{' '}
          {rights.length > 0 && <small>{rights.join(' · ')}</small>}
        </figcaption>
      )}
    </figure>
  );
}

/** The pictures and other files of a record, except the main picture. */
function pictureSection(page: Page, files: readonly FileObject[]): RecordSection {
  const title = page.t.pictures;
  const shown = files.map((file) =>
    file.filetype === 'image' ? (
      picture(page, file, title)
    ) : (
      <a href={page.linkToAddress(addressOf(file))}>{file.title || file.name || addressOf(file)}</a>
    ),
  );
  return { id: 'pictures', title, children: shown.length > 0 && <div class="pictures">{shown}</div> };
}
