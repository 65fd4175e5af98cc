export {
  type ClientOptions,
  isHeaderValue,
  type Notice,
  type OnNotice,
  parseBaseUrl,
} from './client-options.ts';
export {
  type Client,
  createClient,
  type FacetName,
  type FeatureCollection,
  type MapFeature,
  type MapFilter,
  type MappedKind,
} from './create-client.ts';
export { type FileFilter, type ServedManifest, supplementOf } from './dumps.ts';
export {
  ArchiveError,
  NextError,
  type NextFault,
  OptionError,
  RequestError,
  type RequestFault,
  StatusError,
} from './errors.ts';
export type {
  AnyFieldPath,
  FieldPath,
  Listing,
  ReadPageOptions,
  RecordList,
  SearchOptions,
  Selected,
  SelectedEntry,
} from './listing.ts';
export type { AnswerSchemas } from './request/check-answer.ts';
export { type Page, pageNumber } from './walk.ts';
