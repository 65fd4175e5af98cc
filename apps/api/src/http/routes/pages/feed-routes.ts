import { atomFeed, recordPath, type SitemapEntry, sitemap, sitemapIndex } from '@archiefkast/site';
import { COLLECTIONS, KINDS, kindOfCollection, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import { noSuchPath } from '../../problems.ts';
import type { ArchiveRequest, Route } from '../../route.ts';
import { createPageContext } from './page-context.ts';
import type { PageDependencies } from './page-reader.ts';

/** Records per sitemap: each has a URL in two languages, and a sitemap may have 50,000 URLs. */
const MAP_RECORDS = 20_000;

/** The sitemap of the other pages: the front pages, the lists and the documentation. */
const OTHER_PAGES = 'pages.xml';

/** Records in the feed. */
const FEED_RECORDS = 50;

/** The sitemaps and the feed. */
export function feedRoutes(dependencies: PageDependencies): Route[] {
  const { queries, baseUrl, openPages } = dependencies;

  async function writeSitemapIndex({ open: { edition } }: ArchiveRequest): Promise<string> {
    const names = KINDS.flatMap((kind) =>
      Array.from(
        { length: Math.ceil(edition.counts[kind] / MAP_RECORDS) },
        (_, index) => `${COLLECTIONS[kind]}-${index + 1}.xml`,
      ),
    );
    return sitemapIndex(baseUrl, [OTHER_PAGES, ...names], edition.publishedAt.toISOString());
  }

  async function writeSitemap({ segment, open: { edition } }: ArchiveRequest): Promise<string> {
    const name = segment('name');
    if (name === OTHER_PAGES) return sitemap(baseUrl, otherPages(edition.publishedAt.toISOString()));
    const [, collection = '', number = ''] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(name) ?? [];
    const kind = kindOfCollection(collection);
    const first = (Number(number) - 1) * MAP_RECORDS + 1;
    if (!kind || number === '' || first > edition.counts[kind]) throw noSuchPath(`/sitemap/${name}`);
    const entries = await queries.fetchChangeTimes(edition, kind, { first, last: first + MAP_RECORDS - 1 });
    const pages = entries.map((entry) => ({
      paths: inLanguages((language) => recordPath(language, entry)),
      changedAt: entry.changedAt,
    }));
    return sitemap(baseUrl, pages);
  }

  /** The most recently changed records, newest first. */
  async function writeFeed({ language, open }: ArchiveRequest): Promise<string> {
    const changed = await queries.fetchLastChanged(open.edition, FEED_RECORDS);
    const found = await openPages(open, language).read(changed);
    const entries = found.map(({ record, key: { changedAt } }) => ({ record, changedAt }));
    const page = createPageContext(dependencies, language, `${language}/feed.atom`, open.edition);
    return atomFeed(page, entries, open.edition.publishedAt.toISOString());
  }

  return [
    { ...xmlRoute('/sitemap.xml', 'Sitemaps', 'application/xml', writeSitemapIndex), atRoot: true },
    { ...xmlRoute('/sitemap/:name', 'Sitemap', 'application/xml', writeSitemap), atRoot: true },
    xmlRoute('/feed.atom', 'The most recently changed records', 'application/atom+xml', writeFeed),
  ];
}

/** The route of XML that `write` returns. */
function xmlRoute(
  path: string,
  name: string,
  type: string,
  write: (request: ArchiveRequest) => Promise<string>,
): Route {
  const contentType = `${type}; charset=utf-8`;
  return {
    path,
    name,
    description: `${name}.`,
    parameters: [],
    content: { contentType },
    handle: async (request) => ({ contentType, body: [await write(request)] }),
  };
}

/** The front pages, the lists of each kind, and the documentation, which is in English only. */
function otherPages(changedAt: string): SitemapEntry[] {
  const paths = ['', ...KINDS.map((kind) => `${PAGE_SEGMENTS[kind]}/`)];
  return [
    ...paths.map((path) => ({ paths: inLanguages((language) => `${language}/${path}`), changedAt })),
    { paths: { en: 'en/docs' }, changedAt },
  ];
}

function inLanguages(pathIn: (language: Language) => string): Record<Language, string> {
  return { en: pathIn('en'), nl: pathIn('nl') };
}
