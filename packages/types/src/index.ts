export { type AbbreviatedEvent, abbreviatedEventSchema } from './abbreviated-event.ts';
export { type ArchiveIndex, archiveIndexSchema } from './archive-index.ts';
export { isCalendarDate } from './calendar-date.ts';
export {
  type ChangedRecord,
  type ChangesHeader,
  changedRecordSchema,
  changesHeaderSchema,
} from './changed-record.ts';
export { type Changes, changesSchema, type KindChanges } from './changes.ts';
export { licenceSchema } from './edition-name.ts';
export { type Editions, editionsSchema } from './editions.ts';
export { type Envelope, envelopeSchema } from './envelope.ts';
export { type Event, eventSchema } from './event.ts';
export { type Facets, facetsSchema } from './facets.ts';
export { BRIEF_FIELDS, FIELD_SHAPES, type FieldShape, mergedShape } from './field-shapes.ts';
export { id, text, uuid } from './fields.ts';
export { type FileObject, fileObjectSchema } from './file-object.ts';
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
export { type Location, locationSchema } from './location.ts';
export { type Manifest, manifestSchema } from './manifest.ts';
export { type Person, personSchema } from './person.ts';
export { type ProblemBody, problemSchema } from './problem.ts';
export { type ArchiveRecord, RECORD_FIELDS, type RecordOfKind, recordSchemas } from './records.ts';
export { type SearchEntry, searchEntrySchema } from './search-entry.ts';
export { hasField, type Selection, selectedNames, selectFields } from './selection.ts';
export { selectedEntrySchema, selectedRecordSchemas } from './selection-schemas.ts';
export { type Subject, subjectSchema } from './subject.ts';
export { type Suggestions, suggestionsSchema } from './suggestions.ts';
export { isWebAddress, parseWebAddress } from './web-address.ts';
