import type { PageContext } from '../layout/page-context.ts';
import { RECORD_TEXTS } from './record-texts.ts';

/** The data of a citation. */
export interface Citation {
  title: string;
  /** Absolute address of the page. */
  address: string;
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** How to cite a page: as text, and for reference managers. With scripts, each can be copied. */
export function Cite({ page, citation }: { page: PageContext; citation: Citation }) {
  const texts = RECORD_TEXTS[page.language];
  const forms = [
    { name: 'BibTeX', text: bibtex(page, citation) },
    { name: 'RIS', text: ris(page, citation) },
    { name: 'CSL-JSON', text: cslJson(page, citation) },
  ];
  return (
    <>
      <p class="address">
        <code>{citation.address}</code> <CopyButton page={page} />
      </p>
      <details class="cite">
        <summary>{texts.cite}</summary>
        <p>{citationText(page, citation)}</p>
        {forms.map(({ name, text }) => (
          <div key={name}>
            <h3>{name}</h3>
            <pre>
              <code>{text}</code>
            </pre>
            <CopyButton page={page} />
          </div>
        ))}
      </details>
    </>
  );
}

/** A button that copies the code beside it; it is shown only with scripts. */
function CopyButton({ page }: { page: PageContext }) {
  const { copy, copied } = RECORD_TEXTS[page.language];
  return (
    <button type="button" class="copy" data-copied={copied} hidden>
      {copy}
    </button>
  );
}

/** The metadata from which reference managers such as Zotero make a citation (Highwire Press tags). */
export function CitationMetadata({ page, citation }: { page: PageContext; citation: Citation }) {
  const { title, address, publishedAt, publisher } = citation;
  const tags = {
    citation_title: title,
    citation_public_url: address,
    citation_publication_date: dayOf(publishedAt).replaceAll('-', '/'),
    citation_publisher: publisher ?? page.archiveName,
    citation_language: page.language,
  };
  return Object.entries(tags).map(([name, content]) => content && <meta name={name} content={content} />);
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

function editionNote(page: PageContext, { edition, publishedAt }: Citation): string {
  return `${RECORD_TEXTS[page.language].consulted} ${edition}, ${dayOf(publishedAt)}`;
}

/** A key for the page: the first part of its uuid. */
function keyOf({ address }: Citation): string {
  return address.split('/').at(-2)?.slice(0, 8) ?? 'record';
}

function bibtex(page: PageContext, citation: Citation): string {
  const { title, address, publishedAt, publisher } = citation;
  const field = (name: string, value: string | undefined) => (value ? `  ${name} = {${value}},\n` : '');
  return [
    `@misc{${keyOf(citation)},\n`,
    field('title', `{${escapeBibtex(title)}}`),
    field('organization', publisher && escapeBibtex(publisher)),
    field('howpublished', page.archiveName && escapeBibtex(page.archiveName)),
    field('year', String(publishedAt.getUTCFullYear())),
    field('url', address),
    field('note', editionNote(page, citation)),
    '}',
  ].join('');
}

function escapeBibtex(text: string): string {
  return text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
}

/** A web page in RIS, whose lines are a tag, two spaces, a hyphen, a space and the value. */
function ris(page: PageContext, citation: Citation): string {
  const { title, address, publishedAt, publisher } = citation;
  const lines: [tag: string, value: string | undefined][] = [
    ['TY', 'ELEC'],
    ['TI', title],
    ['T2', page.archiveName],
    ['PB', publisher],
    ['PY', String(publishedAt.getUTCFullYear())],
    ['DA', dayOf(publishedAt).replaceAll('-', '/')],
    ['ET', String(citation.edition)],
    ['LA', page.language],
    ['UR', address],
    ['ER', ''],
  ];
  return lines
    .flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}  - ${value.replace(/\s+/g, ' ')}`]))
    .join('\n');
}

/** A web page in CSL-JSON, the input of citeproc (citationstyles.org). */
function cslJson(page: PageContext, citation: Citation): string {
  const { title, address, publishedAt, publisher } = citation;
  const item = {
    id: keyOf(citation),
    type: 'webpage',
    title,
    'container-title': page.archiveName,
    publisher,
    issued: { 'date-parts': [dayOf(publishedAt).split('-').map(Number)] },
    edition: citation.edition,
    language: page.language,
    URL: address,
  };
  return JSON.stringify([item], null, 2);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
