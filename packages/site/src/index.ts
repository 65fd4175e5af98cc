export { ASSETS, ASSETS_VERSION, assetPath, findTheme, SHARED_SCRIPTS } from './assets.ts';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feeds.ts';
export { HOME_PAGE } from './own-pages.ts';
export { createPage, type MapTiles, type Page, type SiteSettings } from './page.ts';
export { recordPath } from './record.ts';
