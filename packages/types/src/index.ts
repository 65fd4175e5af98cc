export {
  type ArchiveIndex,
  archiveIndexSchema,
  type Envelope,
  type Facets,
  facetsSchema,
  problemSchema,
  type SearchEntry,
  type Suggestions,
  searchEntrySchema,
  suggestionsSchema,
} from './answers.ts';
export {
  abbreviatedChangeSchema,
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
  type Manifest,
  manifestSchema,
} from './editions.ts';
export * from './kinds.ts';
export * from './links.ts';
export {
  type AbbreviatedEvent,
  type ArchiveRecord,
  abbreviatedEventSchema,
  type Event,
  eventSchema,
  type FileObject,
  fileObjectSchema,
  type Location,
  locationSchema,
  type Person,
  personSchema,
  type RecordOfKind,
  recordSchemas,
  type Subject,
  subjectSchema,
} from './records.ts';
export { type KnownDates, knownDatesSchema, type Supplement, supplementSchema } from './supplement.ts';
