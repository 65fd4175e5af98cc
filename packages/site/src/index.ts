export { ASSETS, ASSETS_VERSION, assetPath, findTheme } from './assets.ts';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feeds.ts';
export { createPage, type Page, type SiteSettings } from './page.ts';
export { nameOf, type PageRecord, recordPath, toPageRecord, wordingOf } from './record.ts';
