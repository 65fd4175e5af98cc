import { type Kind, LANGUAGES } from '@archiefkast/types';
import { recordPath } from '../record/wording.ts';
import { escapeXml } from './escape-xml.ts';

/** A record in a sitemap. */
export interface SitemapEntry {
  kind: Kind;
  uuid: string;
  changedAt: string;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The list of sitemaps (sitemaps.org). */
export function sitemapIndex(baseUrl: string, names: readonly string[], publishedAt: string): string {
  const maps = names.map(
    (name) =>
      `<sitemap><loc>${escapeXml(`${baseUrl}/sitemap/${name}`)}</loc><lastmod>${publishedAt}</lastmod></sitemap>`,
  );
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${maps.join('\n')}\n</sitemapindex>\n`;
}

/** The pages of records in both languages, each with the time of the record's last change. */
export function sitemap(baseUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.flatMap((entry) => {
    const addresses = LANGUAGES.map((language) => ({
      language,
      address: escapeXml(`${baseUrl}/${recordPath(language, entry)}`),
    }));
    const links = addresses.map(
      ({ language, address }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${address}"/>`,
    );
    return addresses.map(
      ({ address }) =>
        `<url><loc>${address}</loc><lastmod>${entry.changedAt}</lastmod>${links.join('')}</url>`,
    );
  });
  return `${HEAD}<urlset xmlns="${NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('\n')}\n</urlset>\n`;
}
