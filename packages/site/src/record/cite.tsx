import type { PageContext } from '../layout/page-context.ts';
import { RECORD_TEXTS } from './record-texts.ts';

/** What a citation names. */
export interface Citation {
  title: string;
  /** Absolute address of the page. */
  address: string;
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** How to cite a page: as text, and for BibTeX. */
export function Cite({ page, citation }: { page: PageContext; citation: Citation }) {
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
