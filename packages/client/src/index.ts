export type { AnswerName, AnswerSchemas } from './answer-schemas.ts';
export { type ClientOptions, parseBaseUrl } from './client-options.ts';
export { type Client, createClient, type FacetName } from './create-client.ts';
export type { Listing, ReadPageOptions } from './create-listing.ts';
export type { RecordList, SelectableList } from './create-record-list.ts';
export type { AnyFieldPath, SearchListing, SearchOptions, SelectedEntry } from './create-search.ts';
export type {
  FeatureCollection,
  FileFilter,
  MapFeature,
  MapFilter,
  MappedKind,
} from './dumps/files-of-hits.ts';
export {
  dumpOf,
  type OfferedDump,
  type ServedManifest,
  supplementOf,
} from './dumps/manifest.ts';
export { ArchiveError, OptionError } from './errors/archive-errors.ts';
export { NextError, type NextFault } from './errors/next-errors.ts';
export {
  ConnectionError,
  LongWaitError,
  RedirectError,
  RequestError,
  SilenceError,
  SlowAnswerError,
  StatusError,
  TooLargeError,
  WrongAnswerError,
} from './errors/request-errors.ts';
export type { Notice, OnNotice } from './request/notice.ts';
export type { FieldPath, Selected } from './selected.ts';
export { createNextGuard, type NextGuard } from './walk/guard-next.ts';
export { type Page, pageNumber } from './walk/page.ts';
export { type ReadPage, type WalkOptions, walk } from './walk/walk.ts';
