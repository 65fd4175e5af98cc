export type { AnswerName, AnswerSchemas, Issue } from './answer-schemas.ts';
export type { ClientOptions, Notice, OnNotice } from './client-options.ts';
export {
  type Client,
  createClient,
  type FacetName,
  type FeatureCollection,
  type MapFeature,
  type MapFilter,
  type MappedKind,
} from './create-client.ts';
export type { FileFilter, ServedManifest } from './dumps.ts';
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
  FullRecordList,
  Listing,
  ReadPageOptions,
  RecordList,
  SearchListing,
  SearchOptions,
  Selected,
  SelectedEntry,
} from './listing.ts';
export type { Held } from './request/request.ts';
export type { Page } from './walk.ts';
