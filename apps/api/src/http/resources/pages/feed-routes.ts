import { atomFeed, recordPath, type SitemapEntry, sitemap, sitemapIndex } from '@archiefkast/site';
import { COLLECTIONS, KINDS, kindOfCollection, type Language, PAGE_SEGMENTS } from '@archiefkast/types';
import type { OpenEdition } from '../../../edition/follow-editions.ts';
import { noSuchPath } from '../../problems.ts';
import type { Route } from '../../route.ts';
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
  const { queries, baseUrl } = dependencies;
  return [
    {
      ...page('/sitemap.xml', 'Sitemaps', 'The list of sitemaps, for search engines.', 'application/xml'),
      atRoot: true,
      async handle({ open: { edition } }) {
        const names = KINDS.flatMap((kind) =>
          Array.from(
            { length: Math.ceil(edition.counts[kind] / MAP_RECORDS) },
            (_, index) => `${COLLECTIONS[kind]}-${index + 1}.xml`,
          ),
        );
        return xml(sitemapIndex(baseUrl, [OTHER_PAGES, ...names], edition.publishedAt.toISOString()));
      },
    },
    {
      ...page('/sitemap/:name', 'Sitemap', 'Pages of the archive, for search engines.', 'application/xml'),
      atRoot: true,
      async handle({ segment, open: { edition } }) {
        const name = segment('name');
        if (name === OTHER_PAGES) return xml(sitemap(baseUrl, otherPages(edition.publishedAt.toISOString())));
        const [, collection = '', number = ''] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(name) ?? [];
        const kind = kindOfCollection(collection);
        const first = (Number(number) - 1) * MAP_RECORDS + 1;
        if (!kind || number === '' || first > edition.counts[kind]) throw noSuchPath(`/sitemap/${name}`);
        const run = { first, last: first + MAP_RECORDS - 1 };
        const entries = await queries.fetchChangeTimes(edition, kind, run);
        const pages = entries.map((entry) => ({
          paths: inLanguages((language) => recordPath(language, entry)),
          changedAt: entry.changedAt,
        }));
        return xml(sitemap(baseUrl, pages));
      },
    },
    {
      ...page(
        '/feed.atom',
        'Feed',
        'The most recently changed records, as an Atom feed.',
        'application/atom+xml',
      ),
      async handle({ language, open }) {
        const records = await readLastChanged(dependencies, open, language, FEED_RECORDS);
        const context = createPageContext(dependencies, language, `${language}/feed.atom`, open.edition);
        const text = atomFeed(context, records, open.edition.publishedAt.toISOString());
        return { contentType: 'application/atom+xml; charset=utf-8', body: [text] };
      },
    },
  ];
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

/** The most recently changed records, newest first. */
async function readLastChanged(
  { queries, openPages }: PageDependencies,
  open: OpenEdition,
  language: Language,
  most: number,
) {
  const changed = await queries.fetchLastChanged(open.edition, most);
  const found = await openPages(open, language).read(changed);
  return found.map(({ record, key: { changedAt } }) => ({ record, changedAt }));
}

function xml(text: string) {
  return { contentType: 'application/xml; charset=utf-8', body: [text] };
}

function page(path: string, name: string, description: string, contentType: string) {
  return {
    path,
    name,
    description,
    parameters: [],
    content: { contentType: `${contentType}; charset=utf-8` },
  } as const;
}
