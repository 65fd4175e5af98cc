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
  const where = [page.archiveName, publisher].filter(
    (name, index, all) => name && all.indexOf(name) === index,
  );
  return `“${title}”, ${where.map((name) => `${name}, `).join('')}${consulted} ${edition} (${dayOf(publishedAt)}), ${address}.`;
}

function bibtex(page: PageContext, { title, address, edition, publishedAt, publisher }: Citation): string {
  const fields: [string, string | undefined][] = [
    ['title', `{${escapeBibtex(title)}}`],
    ['organization', publisher && escapeBibtex(publisher)],
    ['howpublished', page.archiveName && escapeBibtex(page.archiveName)],
    ['year', String(publishedAt.getUTCFullYear())],
    ['url', address],
    ['note', `${RECORD_TEXTS[page.language].consulted} ${edition}, ${dayOf(publishedAt)}`],
  ];
  const key = address.split('/').at(-2)?.slice(0, 8) ?? 'record';
  const lines = fields.flatMap(([name, value]) => (value ? [`  ${name} = {${value}},`] : []));
  return `@misc{${key},\n${lines.join('\n')}\n}`;
}

function escapeBibtex(text: string): string {
  return text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
