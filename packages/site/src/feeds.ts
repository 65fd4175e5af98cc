import { escapeXml } from '@archiefkast/formats/escape';
import { nameOf, type RecordView, type Wording, wordingOf } from '@archiefkast/formats/record-view';
import { LANGUAGES, type Language } from '@archiefkast/types';
import type { Page } from './page.ts';
import { kindName, recordPath } from './record.ts';

/** The most recently changed records, newest first, as a feed (RFC 4287). */
export function atomFeed(
  page: Page,
  entries: readonly { record: RecordView; changedAt: string }[],
  publishedAt: string,
): string {
  const { language, baseUrl } = page;
  const home = escapeXml(`${baseUrl}/${language}/`);
  const name = escapeXml(page.name);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${home}</id>
<title>${name}</title>
<updated>${publishedAt}</updated>
<author><name>${name}</name></author>
<link rel="alternate" type="text/html" href="${home}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${baseUrl}/${page.path}`)}"/>
${entries.map(({ record, changedAt }) => entryOf(page, record, changedAt)).join('\n')}
</feed>
`;
}

function entryOf({ language, baseUrl, t }: Page, record: RecordView, changedAt: string): string {
  const summary = wordingOf(record, 'summary', language);
  return `<entry>
<id>urn:uuid:${record.uuid}</id>
${textElement('title', nameOf(record, language), language)}
<category term="${record.kind}" label="${escapeXml(kindName(record, t))}"/>
<updated>${changedAt}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(`${baseUrl}/${recordPath(language, record)}`)}"/>${
    summary.text === '' ? '' : `\n${textElement('summary', summary, language)}`
  }
</entry>`;
}

/** A text of an entry; its language, if that is not the one of the feed. */
function textElement(name: string, { text, language }: Wording, ofFeed: Language): string {
  const own = language === ofFeed ? '' : ` xml:lang="${language}"`;
  return `<${name}${own}>${escapeXml(text)}</${name}>`;
}

export interface SitemapEntry {
  /** Its path after the language: `personen/`. */
  path: string;
  changedAt: string;
  /** All languages by default. */
  languages?: readonly Language[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The list of sitemaps (sitemaps.org). */
export function sitemapIndex(baseUrl: string, names: readonly string[], publishedAt: string): string {
  const maps = names.map(
    (name) =>
      `<sitemap><loc>${escapeXml(`${baseUrl}/sitemap-${name}`)}</loc><lastmod>${publishedAt}</lastmod></sitemap>`,
  );
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${maps.join('\n')}\n</sitemapindex>\n`;
}

/** Pages in their languages, each with the time of its last change. Its head names the page in the other language. */
export function sitemap(baseUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.flatMap(({ path, changedAt, languages = LANGUAGES }) =>
    languages.map((language) => {
      const address = escapeXml(`${baseUrl}/${language}/${path}`);
      return `<url><loc>${address}</loc><lastmod>${changedAt}</lastmod></url>`;
    }),
  );
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`;
}
