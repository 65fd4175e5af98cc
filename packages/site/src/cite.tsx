import { citationText } from '@archiefkast/formats/citation';
import { identityOf } from '@archiefkast/formats/linked-data';
import type { RecordView } from '@archiefkast/formats/record-view';
import { cardSnippet } from './embed.tsx';
import type { Page } from './page.ts';

/** The data of a citation. */
export interface Citation {
  title: string;
  /** Absolute address of the page. */
  address: string;
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** How to cite the page of a record: as text, as BibTeX, and as a file in RIS. Scripts show the buttons, which copy what is before them. */
export function cite(page: Page, { uuid }: RecordView, citation: Citation) {
  const { t, language } = page;
  const ris = `${language}/api/search.ris?q=${encodeURIComponent(`uuid:"${uuid}"`)}`;
  return (
    <details class="cite">
      <summary>{t.cite}</summary>
      <p>{sentenceOf(page, citation)}</p>
      {copyButton(page, t.copyCitation)}
      <pre>{bibtex(page, citation)}</pre>
      {copyButton(page, t.copyBibtex)}
      <a href={page.link(ris)}>RIS (Zotero)</a>
    </details>
  );
}

/** How to pass a record on: its lasting address, the citation, and the HTML of its card for pages of others. */
export function share(page: Page, record: RecordView, citation: Citation) {
  const { t, naming } = page;
  return (
    <details class="share">
      <summary>{t.share}</summary>
      <p>{identityOf(naming.identity, record.uuid)}</p>
      {copyButton(page, t.copyAddress)}
      <p>{sentenceOf(page, citation)}</p>
      {copyButton(page, t.copyCitation)}
      <pre>{cardSnippet(page, record)}</pre>
      {copyButton(page, t.copySnippet)}
    </details>
  );
}

function sentenceOf({ t, archiveName }: Page, citation: Citation): string {
  const edition = `${t.edition} ${citation.edition}`;
  return citationText({ ...citation, archiveName, edition, day: dayOf(citation.publishedAt) });
}

/** A button that copies what is before it, which scripts show. */
function copyButton({ t }: Page, words: string) {
  return (
    <button type="button" class="copy" data-copied={t.copied} aria-live="polite" hidden>
      {words}
    </button>
  );
}

/** The metadata from which reference managers such as Zotero make a citation, in their own formats (Highwire Press tags). */
export function citationMetadata(page: Page, { title, address, publishedAt, publisher }: Citation) {
  const tags = {
    citation_title: title,
    citation_public_url: address,
    citation_publication_date: dayOf(publishedAt).replaceAll('-', '/'),
    citation_publisher: publisher ?? page.archiveName,
    citation_language: page.language,
  };
  return Object.entries(tags).map(([name, content]) => content && <meta name={name} content={content} />);
}

function bibtex(page: Page, { title, address, edition, publishedAt, publisher }: Citation): string {
  const key = address.split('/').at(-2)?.slice(0, 8);
  const fields = {
    title: `{${escapeBibtex(title)}}`,
    organization: publisher && escapeBibtex(publisher),
    howpublished: page.archiveName && escapeBibtex(page.archiveName),
    year: String(publishedAt.getUTCFullYear()),
    url: address,
    note: `${page.t.edition} ${edition}, ${dayOf(publishedAt)}`,
  };
  const lines = Object.entries(fields).map(([name, value]) => (value ? `  ${name} = {${value}},\n` : ''));
  return `@misc{${key},\n${lines.join('')}}`;
}

function escapeBibtex(text: string): string {
  return text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
