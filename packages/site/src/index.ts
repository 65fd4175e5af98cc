export { ASSETS, ASSETS_VERSION, type Asset, findTheme, readAsset } from './assets.ts';
export type { DocsArchive, DocsData, DocsEndpoint, DocsParameter } from './docs/docs-data.ts';
export { atomFeed, type SitemapEntry, sitemap, sitemapIndex } from './feed/feeds.ts';
export type { Decade } from './find/decade-bars.tsx';
export { type HomeData, homePage } from './find/home-page.tsx';
export { type KindData, kindPage } from './find/kind-page.tsx';
export type { CountedQuery, DateChoice, LinkedQuery, Refinement } from './find/refine.tsx';
export { type SearchExample, searchHelpPage } from './find/search-help-page.tsx';
export { EXAMPLE_NAMES, type ExampleName } from './find/search-help-texts.ts';
export { type FaultyQuery, faultPage, type SearchData, searchPage } from './find/search-page.tsx';
export type { Accents } from './layout/accents.ts';
export type { PageContext } from './layout/page-context.ts';
export { type MapTiles, parseMapTiles } from './map/map-tiles.ts';
export { errorPage, notFoundPage, type ProblemHelp, problemPage } from './problem/problem-pages.tsx';
export { type EventRelations, eventPage } from './record/event-page.tsx';
export { type LocationRelations, locationPage } from './record/location-page.tsx';
export {
  type Branch,
  type ListedRecord,
  type PageRecord,
  toListedRecord,
  toPageRecord,
} from './record/page-record.ts';
export { type PersonRelations, personPage } from './record/person-page.tsx';
export type { Neighbours, RecordPageFacts } from './record/record-frame.tsx';
export type { Selection } from './record/sections.tsx';
export { type SubjectRelations, subjectPage } from './record/subject-page.tsx';
export { nameOf, recordPath, sortDate } from './record/wording.ts';
