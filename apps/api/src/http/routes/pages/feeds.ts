import type { RecordView } from '@archiefkast/formats/record-view';
import { atomFeed, HOME_PAGE, type SitemapEntry, sitemap, sitemapIndex } from '@archiefkast/site';
import { COLLECTIONS, KINDS, kindOfCollection, PAGE_SEGMENTS } from '@archiefkast/types';
import { originalOf } from '../../../edition/identity.ts';
import type { OpenRecordViews, RecordViews } from '../../../edition/record-views.ts';
import { ALWAYS, type Datestamps } from '../../../storage/datestamps.ts';
import type { Edition } from '../../../storage/edition.ts';
import { createPageOf } from '../../page.ts';
import {
  type Answer,
  type ArchiveRequest,
  plainRoute,
  type Route,
  type RouteDependencies,
  text,
} from '../../route.ts';

/** Records per sitemap: each has a URL in two languages, and a sitemap may have 50,000 URLs. */
const MAP_RECORDS = 20_000;

/** The sitemap of the other pages: the front pages, the lists and the documentation. */
const OTHER_PAGES = 'pages.xml';

const XML = 'application/xml; charset=utf-8';

/** Records in the feed. */
const FEED_RECORDS = 50;

/** The sitemaps, and the feed of the most recently changed records. */
export function feedRoutes(dependencies: RouteDependencies, openViews: OpenRecordViews): Route[] {
  const { datestamps, baseUrl } = dependencies;

  const isCopy = ({ archive }: Edition) => originalOf(archive, dependencies) !== undefined;

  async function writeSitemapIndex({ open: { edition } }: ArchiveRequest): Promise<Answer | undefined> {
    if (isCopy(edition)) return undefined;
    const names = KINDS.flatMap((kind) =>
      Array.from(
        { length: Math.ceil(edition.counts[kind] / MAP_RECORDS) },
        (_, index) => `${COLLECTIONS[kind]}-${index + 1}.xml`,
      ),
    );
    return text(sitemapIndex(baseUrl, [OTHER_PAGES, ...names], edition.publishedAt.toISOString()));
  }

  async function writeSitemap({ segment, open: { edition } }: ArchiveRequest): Promise<Answer | undefined> {
    if (isCopy(edition)) return undefined;
    const name = segment('name');
    if (name === OTHER_PAGES) return text(sitemap(baseUrl, otherPages(edition)));
    const [, collection = '', number = ''] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(name) ?? [];
    const kind = kindOfCollection(collection);
    const first = (Number(number) - 1) * MAP_RECORDS + 1;
    if (!kind || first > edition.counts[kind]) return undefined;
    const scope = { ...ALWAYS, edition: edition.id, own: edition.publishedAt.getTime(), least: 0 };
    const entries = await datestamps.list(scope, kind, first - 1, MAP_RECORDS);
    const pages = entries.map(({ uuid, at }) => ({
      path: `${PAGE_SEGMENTS[kind]}/${uuid}/`,
      changedAt: new Date(at).toISOString(),
    }));
    return text(sitemap(baseUrl, pages));
  }

  async function writeFeed(request: ArchiveRequest): Promise<Answer> {
    const { language, open } = request;
    const entries = await listLastChanged(datestamps, openViews(open, language), open.edition, FEED_RECORDS);
    const page = createPageOf(dependencies, request);
    return text(atomFeed(page, entries, open.edition.publishedAt.toISOString()));
  }

  return [
    { ...plainRoute('/sitemap.xml', 'Sitemaps', XML, writeSitemapIndex), atRoot: true },
    { ...plainRoute('/sitemap-:name', 'Sitemap', XML, writeSitemap), atRoot: true },
    plainRoute('/feed.atom', 'Feed', 'application/atom+xml; charset=utf-8', writeFeed),
  ];
}

/** The most recently changed records, newest first. */
export async function listLastChanged(
  datestamps: Datestamps,
  views: RecordViews,
  edition: Edition,
  limit: number,
): Promise<{ record: RecordView; changedAt: string }[]> {
  const changed = await views.list(await datestamps.listLast(edition, limit));
  return changed.map(({ record, key }) => ({ record, changedAt: new Date(key.at).toISOString() }));
}

/** The front pages, the lists of each kind, the pages of the archive itself, and the documentation, which is in English only. */
function otherPages({ archive, publishedAt }: Edition): SitemapEntry[] {
  const changedAt = publishedAt.toISOString();
  const own = Object.keys(archive?.pages?.nl ?? {}).filter((name) => name !== HOME_PAGE);
  const paths = ['', ...KINDS.map((kind) => `${PAGE_SEGMENTS[kind]}/`), ...own.map((name) => `${name}/`)];
  return [...paths.map((path) => ({ path, changedAt })), { path: 'docs', changedAt, languages: ['en'] }];
}
