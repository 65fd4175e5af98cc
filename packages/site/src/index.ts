export type { Accents } from './accents.ts';
export { ASSETS, ASSETS_VERSION, type Asset, findTheme, readAsset } from './assets.ts';
export type { Decade } from './decade-bars.tsx';
export { docsPage } from './docs.tsx';
export { errorPage, notFoundPage, type ProblemHelp, problemPage } from './errors.tsx';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feeds.ts';
export { type HomeData, homePage } from './home.tsx';
export { type KindData, kindPage } from './kind-list.tsx';
export {
  type EventRelations,
  eventPage,
  type LocationRelations,
  locationPage,
  type PersonRelations,
  personPage,
  type Selection,
  type SubjectRelations,
  subjectPage,
} from './kinds.tsx';
export { type MapTiles, parseMapTiles } from './map-tiles.ts';
export { createPage, type Page, type SiteSettings } from './page.ts';
export { type Branch, type PageRecord, toPageRecord } from './record.ts';
export type { RecordPageFacts } from './record-page.tsx';
export type { DateChoice, Refinement } from './refine.tsx';
export {
  type CountedQuery,
  type FoundRecord,
  faultPage,
  searchHelpPage,
  searchPage,
} from './search.tsx';
export { nameOf, recordPath, sortDate } from './wording.ts';
