export { type AbbreviatedEvent, abbreviatedEventSchema } from './abbreviated-event.ts';
export { type ArchiveIndex, archiveIndexSchema } from './archive-index.ts';
export { type Changes, changesSchema, type KindChanges } from './changes.ts';
export { csvCell, csvLine } from './csv.ts';
export { CSV_COLUMNS } from './csv-columns.ts';
export { type Envelope, envelopeSchema } from './envelope.ts';
export { type Event, eventSchema } from './event.ts';
export { isCalendarDate } from './fields.ts';
export { type FileObject, fileObjectSchema } from './file-object.ts';
export { type LocationFeature, locationCollectionSchema } from './geojson.ts';
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
  listUrl,
  parseApiReference,
  recordPage,
  searchUrl,
  UUID_PATTERN,
  uuidOfReference,
} from './links.ts';
export { type Location, locationSchema } from './location.ts';
export { type Manifest, manifestSchema } from './manifest.ts';
export { type Person, personSchema } from './person.ts';
export { type ProblemBody, problemSchema } from './problem.ts';
export { type ArchiveRecord, type RecordOfKind, recordSchemas } from './records.ts';
export { type SearchEntry, searchEntrySchema } from './search-entry.ts';
export { type Subject, subjectSchema } from './subject.ts';
export { type Suggestions, suggestionsSchema } from './suggestions.ts';
