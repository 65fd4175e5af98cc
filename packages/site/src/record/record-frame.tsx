import { COLLECTIONS, type FileObject, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Children } from '#html/jsx-runtime';
import { LAYOUT_TEXTS, OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { inEdition, linkTo, type PageContext } from '../layout/page-context.ts';
import { MAP_SCRIPTS, MAP_STYLES } from '../map/page-map.tsx';
import { CitationMetadata, Cite } from './cite.tsx';
import { jsonLd, type LinkedRecords } from './json-ld.ts';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { addressOf, Files, Picture } from './picture.tsx';
import { RecordText, TEXT_ID } from './record-text.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { type RecordSection, Section } from './sections.tsx';
import { contentOf, kindName, langOf, nameOf, openingOf, recordPath, wordingOf } from './wording.ts';

/** The edition of a page, and its publisher. */
export interface EditionFacts {
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** The records before and after one in the list of its kind. */
export interface Neighbours {
  previous: ListedRecord | undefined;
  next: ListedRecord | undefined;
}

/** What a page has besides the record and its relations. */
export interface RecordPageFacts extends EditionFacts {
  neighbours: Neighbours;
}

/** A section, or nothing. */
type MaybeSection = RecordSection | false | undefined;

/** The common properties of all record pages. */
interface RecordFrameParts {
  page: PageContext;
  record: PageRecord;
  facts: RecordPageFacts;
  /** Links between the list of its kind and the record. */
  trail?: readonly Children[];
  /** Below the name: life dates, place or date. */
  line?: Children;
  /** A map, beside the text or before it. */
  map?: Children;
  /** Below the text. */
  sections: readonly MaybeSection[];
  /** Beside the text, or below it. */
  aside?: readonly MaybeSection[];
  /** The related records of its structured data. */
  linked?: LinkedRecords;
}

/** The fewest sections for which a page has a list of its contents. */
const FEWEST_LISTED = 3;

/** The page of a record: its name, text and picture, with the parts of its kind. */
export function renderRecordPage(parts: RecordFrameParts): string {
  const { page, record, facts, map, linked = {} } = parts;
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const image = pictureOf(record);
  const texts = RECORD_TEXTS[page.language];
  const citation = { title: name.text, address: `${page.baseUrl}/${page.path}`, ...facts };
  return renderPage({
    page,
    title: page.archiveName === undefined ? name.text : `${name.text} · ${page.archiveName}`,
    description:
      summary.text ||
      openingOf(contentOf(record, page.language).text) ||
      `${kindName(record, page.language)}: ${name.text}`,
    translation: recordPath(OTHER_LANGUAGE[page.language], record),
    styles: ['record.css', ...(map ? MAP_STYLES : [])],
    scripts: ['record.js', ...(map ? MAP_SCRIPTS : [])],
    json: inEdition(page, `${page.baseUrl}/${jsonPath(page, record)}`),
    preview: {
      title: name.text,
      type: record.kind === 'person' ? 'profile' : 'article',
      ...(image && { image: addressOf(image) }),
    },
    metadata: <CitationMetadata page={page} citation={citation} />,
    data: jsonLd(page, record, linked),
    footer: (
      <>
        <p>
          <a href={linkTo(page, jsonPath(page, record))}>{texts.asJson}</a>
        </p>
        <Cite page={page} citation={citation} />
      </>
    ),
    children: <RecordFrame {...parts} image={image} />,
  });
}

function RecordFrame({
  page,
  record,
  facts: { neighbours },
  trail = [],
  line,
  map,
  sections,
  aside = [],
  image,
}: RecordFrameParts & { image: FileObject | undefined }) {
  const texts = RECORD_TEXTS[page.language];
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const content = contentOf(record, page.language);
  const files = (record.files ?? []).filter(({ uuid }) => uuid !== image?.uuid);
  const pictures = files.length > 0 && {
    id: 'pictures',
    title: texts.pictures,
    children: <Files page={page} files={files} title={texts.pictures} />,
  };
  const below = [...sections, pictures].filter((section) => section !== undefined && section !== false);
  const beside = aside.filter((section) => section !== undefined && section !== false);
  const contents = [
    ...(content.text === '' ? [] : [{ id: TEXT_ID, title: texts.text }]),
    ...below,
    ...beside,
  ];
  const isWide = image || map || beside.length > 0;
  return (
    <main id="main" class={`wide record ${record.kind}`}>
      <header class="record-head">
        <Trail page={page} record={record} trail={trail} />
        <p class="kind">{kindName(record, page.language)}</p>
        <h1 {...langOf(name, page)}>{name.text}</h1>
        {line}
        {summary.text !== '' && (
          <p class="lead" {...langOf(summary, page)}>
            {summary.text}
          </p>
        )}
        {contents.length >= FEWEST_LISTED && <Contents page={page} contents={contents} />}
      </header>
      <div class={isWide ? 'record-body with-aside' : 'record-body'}>
        {(image || map) && (
          <div class="record-media">
            {image && <Picture page={page} file={image} name={name.text} />}
            {map}
          </div>
        )}
        <div class="record-main">
          <RecordText page={page} wording={content} prefix="text" />
          {below.map((section) => (
            <Section key={section.id} page={page} section={section} />
          ))}
        </div>
        {beside.length > 0 && (
          <div class="record-aside">
            {beside.map((section) => (
              <Section key={section.id} page={page} section={section} />
            ))}
          </div>
        )}
      </div>
      <Turn page={page} neighbours={neighbours} />
    </main>
  );
}

/** The way to a record: the list of its kind, and what is between. */
function Trail({
  page,
  record: { kind },
  trail,
}: {
  page: PageContext;
  record: PageRecord;
  trail: readonly Children[];
}) {
  return (
    <nav class="trail" aria-label={RECORD_TEXTS[page.language].trail}>
      <ol>
        <li>
          <a href={linkTo(page, `${page.language}/${PAGE_SEGMENTS[kind]}/`)}>
            {LAYOUT_TEXTS[page.language].kinds[kind]}
          </a>
        </li>
        {trail.map((link) => (
          <li>{link}</li>
        ))}
      </ol>
    </nav>
  );
}

function Contents({
  page,
  contents,
}: {
  page: PageContext;
  contents: readonly Pick<RecordSection, 'id' | 'title' | 'count'>[];
}) {
  return (
    <nav class="on-page" aria-label={RECORD_TEXTS[page.language].contents}>
      <ul>
        {contents.map(({ id, title, count }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
            {count !== undefined && <span class="count"> {count.toLocaleString(page.language)}</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the previous and the next record in the list of the kind. */
function Turn({ page, neighbours: { previous, next } }: { page: PageContext; neighbours: Neighbours }) {
  if (!previous && !next) return null;
  const texts = RECORD_TEXTS[page.language];
  const link = (record: ListedRecord, relation: 'prev' | 'next', words: string) => {
    const name = nameOf(record, page.language);
    return (
      <a class={relation} rel={relation} href={linkTo(page, recordPath(page.language, record))}>
        <span class="fact">{words}</span> <span {...langOf(name, page)}>{name.text}</span>
      </a>
    );
  };
  return (
    <nav class="turn" aria-label={texts.neighbours}>
      {previous && link(previous, 'prev', `← ${texts.previous}`)}
      {next && link(next, 'next', `${texts.next} →`)}
    </nav>
  );
}

function jsonPath({ language }: PageContext, { kind, uuid }: PageRecord): string {
  return `${language}/api/${COLLECTIONS[kind]}/${uuid}`;
}

/** The main picture of a record. */
function pictureOf({ image, main_image: main, files = [] }: PageRecord): FileObject | undefined {
  const first = image ?? main ?? files[0];
  return first?.filetype === 'image' && addressOf(first) !== '' ? first : undefined;
}
