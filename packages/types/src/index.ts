export {
  type ArchiveIndex,
  archiveIndexSchema,
  type Envelope,
  envelopeSchema,
  type Facets,
  facetsSchema,
  type ProblemBody,
  problemSchema,
  type SearchEntry,
  type Suggestions,
  searchEntrySchema,
  suggestionsSchema,
} from './answers.ts';
export { isCalendarDate } from './calendar-date.ts';
export {
  BASE_URL_MARK,
  BLOCK_RECORDS,
  EMBEDDING_FIELDS,
  RECORD_HASH_BYTES,
  withoutMediaHosts,
} from './dump-blocks.ts';
export {
  type ChangedRecord,
  type Changes,
  type ChangesHeader,
  changedRecordSchema,
  changesHeaderSchema,
  changesSchema,
  type DumpBlocks,
  type Editions,
  editionsSchema,
  type KindChanges,
  licenceSchema,
  type Manifest,
  manifestSchema,
} from './editions.ts';
export { type DateParts, firstDayOf, partsOfDate, toEdtf } from './edtf.ts';
export { type ColumnType, id, text, uuid } from './field-schemas.ts';
export {
  COLLECTIONS,
  type Collection,
  isKind,
  isLanguage,
  KINDS,
  type Kind,
  kindOfCollection,
  LANGUAGES,
  type Language,
  PAGE_SEGMENTS,
  PAGE_SIZE,
} from './kinds.ts';
export {
  type ApiReference,
  apiReference,
  isUuid,
  kindOfUrl,
  listUrl,
  parseApiReference,
  recordPage,
  searchUrl,
  UUID_PATTERN,
  uuidOfReference,
} from './links.ts';
export {
  type AbbreviatedEvent,
  type ArchiveRecord,
  abbreviatedEventSchema,
  type Event,
  eventSchema,
  FILE_COLUMN_FIELDS,
  type FieldColumn,
  type FileObject,
  fileObjectSchema,
  type Location,
  locationSchema,
  type Person,
  personSchema,
  RECORD_COLUMN_FIELDS,
  RECORD_FIELDS,
  type RecordOfKind,
  recordSchemas,
  type Subject,
  subjectSchema,
} from './records.ts';
export {
  BRIEF_FIELDS,
  briefEntrySchema,
  briefRecordSchemas,
  FIELD_SHAPES,
  mergedShape,
  selectedEntrySchema,
  selectedRecordSchemas,
} from './selected-records.ts';
export {
  type FieldShape,
  hasField,
  type Selection,
  selectedNames,
  selectFields,
} from './selection.ts';
export { type KnownDates, knownDatesSchema, type Supplement, supplementSchema } from './supplement.ts';
export { isWebAddress, parseWebAddress } from './web-address.ts';
