export { ASSETS, ASSETS_VERSION, findTheme, readAsset } from './assets.ts';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feeds.ts';
export { createPage, type Page, type SiteSettings } from './page.ts';
export { type PageRecord, toPageRecord } from './record.ts';
export { nameOf, recordPath, sortDate } from './wording.ts';
