export { ASSETS, ASSETS_VERSION, assetPath, findTheme } from './assets.ts';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feeds.ts';
export { createPage, type MapTiles, type Page, type SiteSettings } from './page.ts';
export { recordPath } from './record.ts';
