// What the programs share about records; no part of the public API.
export { entrySchema, envelopeSchema } from './answers.ts';
export * from './dates.ts';
export * from './dump-blocks.ts';
export { editionNameSchema, licenceSchema } from './editions.ts';
export { type ColumnType, factsOf, id, text, uuid } from './field-schemas.ts';
export * from './fields.ts';
export * from './record-columns.ts';
export { KIND_FACTS, type KindFacts, RECORD_FIELDS, referenceNames } from './records.ts';
export * from './selected-records.ts';
