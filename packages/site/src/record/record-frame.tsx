import { COLLECTIONS, type FileObject } from '@archiefkast/types';
import type { Children } from '#html/jsx-runtime';
import { OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import { inEdition, linkTo, type PageContext } from '../layout/page-context.ts';
import { MAP_SCRIPTS, MAP_STYLES } from '../map/page-map.tsx';
import { jsonLd } from './json-ld.ts';
import type { PageRecord } from './page-record.ts';
import { addressOf, Files, Picture } from './picture.tsx';
import { RecordText } from './record-text.tsx';
import { RECORD_TEXTS, type RecordTexts } from './record-texts.ts';
import { contentOf, langOf, nameOf, recordPath, wordingOf } from './wording.ts';

/** The edition of a page, and its publisher. */
export interface EditionFacts {
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** The common properties of all record pages. */
interface RecordFrameParts {
  page: PageContext;
  record: PageRecord;
  facts: EditionFacts;
  /** Below the name: life dates, place or date. */
  line?: Children;
  /** Whether it has a map. */
  hasMap?: boolean;
  /** Beside the text, below the picture. */
  aside?: Children;
  /** Below the text. */
  children: Children;
}

/** The page of a record: its name, text and picture, with the parts of its kind. */
export function renderRecordPage(parts: RecordFrameParts): string {
  const { page, record, hasMap = false } = parts;
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const image = pictureOf(record);
  const texts = RECORD_TEXTS[page.language];
  return renderPage({
    page,
    title: page.archiveName === undefined ? name.text : `${name.text} · ${page.archiveName}`,
    description: summary.text || `${texts.kind[record.kind]}: ${name.text}`,
    translation: recordPath(OTHER_LANGUAGE[page.language], record),
    styles: ['record.css', ...(hasMap ? MAP_STYLES : [])],
    scripts: hasMap ? MAP_SCRIPTS : [],
    json: inEdition(page, `${page.baseUrl}/${jsonPath(page, record)}`),
    preview: {
      title: name.text,
      type: record.kind === 'person' ? 'profile' : 'article',
      ...(image && { image: addressOf(image) }),
    },
    data: jsonLd(page, record),
    children: <RecordFrame {...parts} texts={texts} image={image} />,
  });
}

function RecordFrame({
  page,
  record,
  facts,
  line,
  aside,
  children,
  texts,
  image,
}: RecordFrameParts & { texts: RecordTexts; image: FileObject | undefined }) {
  const name = nameOf(record, page.language);
  const summary = wordingOf(record, 'summary', page.language);
  const files = (record.files ?? []).filter(({ uuid }) => uuid !== image?.uuid);
  return (
    <>
      <main id="main" class={`wide record ${record.kind}`}>
        <header class="record-head">
          <p class="kind">{texts.kind[record.kind]}</p>
          <h1 {...langOf(name, page)}>{name.text}</h1>
          {line}
          {summary.text !== '' && (
            <p class="lead" {...langOf(summary, page)}>
              {summary.text}
            </p>
          )}
        </header>
        <div class={image || aside ? 'record-body with-aside' : 'record-body'}>
          <div class="record-main">
            <RecordText page={page} wording={contentOf(record, page.language)} prefix="text" />
            {children}
            <Files page={page} files={files} title={texts.pictures} />
          </div>
          {(image || aside) && (
            <div class="record-aside">
              {image && <Picture page={page} file={image} name={name.text} />}
              {aside}
            </div>
          )}
        </div>
      </main>
      <footer class="site-footer">
        <div class="wide">
          <p>
            <a href={linkTo(page, jsonPath(page, record))}>{texts.asJson}</a>
          </p>
          <Cite
            page={page}
            citation={{ title: name.text, address: `${page.baseUrl}/${page.path}`, ...facts }}
          />
        </div>
      </footer>
    </>
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

/** The data of a citation. */
interface Citation {
  title: string;
  /** Absolute address of the page. */
  address: string;
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** How to cite a page: as text, and as BibTeX. */
function Cite({ page, citation }: { page: PageContext; citation: Citation }) {
  const texts = RECORD_TEXTS[page.language];
  return (
    <details class="cite">
      <summary>{texts.cite}</summary>
      <p>{citationText(page, citation)}</p>
      <pre>
        <code>{bibtex(page, citation)}</code>
      </pre>
    </details>
  );
}

function citationText(
  page: PageContext,
  { title, address, edition, publishedAt, publisher }: Citation,
): string {
  const { consulted } = RECORD_TEXTS[page.language];
  const archive = page.archiveName ? `${page.archiveName}, ` : '';
  const by = publisher && publisher !== page.archiveName ? `${publisher}, ` : '';
  return `“${title}”, ${archive}${by}${consulted} ${edition} (${dayOf(publishedAt)}), ${address}.`;
}

function bibtex(page: PageContext, { title, address, edition, publishedAt, publisher }: Citation): string {
  const { consulted } = RECORD_TEXTS[page.language];
  const day = dayOf(publishedAt);
  const field = (name: string, value: string | undefined) => (value ? `  ${name} = {${value}},\n` : '');
  const key = address.split('/').at(-2)?.slice(0, 8) ?? 'record';
  return [
    `@misc{${key},\n`,
    field('title', `{${escapeBibtex(title)}}`),
    field('organization', publisher && escapeBibtex(publisher)),
    field('howpublished', page.archiveName && escapeBibtex(page.archiveName)),
    field('year', String(publishedAt.getUTCFullYear())),
    field('url', address),
    field('note', `${consulted} ${edition}, ${day}`),
    '}',
  ].join('');
}

function escapeBibtex(text: string): string {
  return text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
