import { z } from 'zod';
import { absoluteUrl, uuid } from './field-schemas.ts';
import { COLLECTIONS, KINDS, LANGUAGES } from './kinds.ts';
import { recordSchemas } from './records.ts';

/** Names an edition of the archive. */
export const editionNameSchema = z
  .strictObject({
    id: z.int().min(1).meta({ description: 'Number of the edition; rises with every publish.' }),
    key: z.uuid().meta({ description: 'UUID of the edition.' }),
    published_at: z.iso.datetime().meta({ description: 'When it was published (ISO 8601, UTC).' }),
  })
  .meta({ id: 'Edition', description: 'An edition: one published state of the whole archive.' });

/** The terms of use of the archive. */
export const licenceSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the licence.' }),
    url: z.string().meta({ description: 'Address of its text.' }),
  })
  .meta({ id: 'Licence', description: 'Terms of use.' });

/** The answer of editions: those that are kept, and which of them is served. */
export const editionsSchema = z
  .strictObject({
    served: z.int().min(1).meta({ description: 'Number of the edition that is served now.' }),
    editions: z
      .array(
        z.strictObject({
          ...editionNameSchema.shape,
          total: z.int().min(0).meta({ description: 'Number of records of all kinds.' }),
        }),
      )
      .meta({ description: 'The editions that are kept, newest first.' }),
  })
  .meta({ id: 'Editions', description: 'The editions that are kept.' });

/** The answer of editions. */
export type Editions = z.infer<typeof editionsSchema>;

const dumpFileSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the file.' }),
    url: absoluteUrl.meta({ description: 'Where it is downloaded.' }),
    media_type: z.string().meta({ description: 'Its media type.' }),
    kind: z.enum(KINDS).meta({ description: 'Kind of its records.' }),
    records: z.int().min(0).meta({ description: 'Number of records in it.' }),
    bytes: z.int().min(0).meta({ description: 'Its size, in bytes, without content coding.' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of its bytes, in hexadecimals.' }),
  })
  .meta({ id: 'DumpFile', description: 'A file with all records of a kind.' });

/** The answer of the manifest: the dumps of an edition, and how to know that one is whole. */
export const manifestSchema = z
  .strictObject({
    edition: editionNameSchema,
    language: z.enum(LANGUAGES).meta({ description: 'Language of the files.' }),
    licence: licenceSchema.nullable(),
    files: z.array(dumpFileSchema).meta({ description: 'The files.' }),
  })
  .meta({ id: 'Manifest', description: 'The dumps of an edition.' });

/** The answer of the manifest. */
export type Manifest = z.infer<typeof manifestSchema>;

const kindChangesSchema = z
  .strictObject({
    added: z.array(uuid).meta({ description: 'Records that were not there, by id.' }),
    changed: z.array(uuid).meta({ description: 'Records of which anything served has changed, by id.' }),
    removed: z.array(uuid).meta({ description: 'Records that are not there any more, by id.' }),
  })
  .meta({ id: 'KindChanges', description: 'What happened to the records of a kind: their uuids.' });

/** What happened to the records of a kind. */
export type KindChanges = z.infer<typeof kindChangesSchema>;

/** The answer of changes: what happened between two editions. */
export const changesSchema = z
  .strictObject({
    since: editionNameSchema,
    edition: editionNameSchema,
    [COLLECTIONS.person]: kindChangesSchema,
    [COLLECTIONS.subject]: kindChangesSchema,
    [COLLECTIONS.location]: kindChangesSchema,
    [COLLECTIONS.event]: kindChangesSchema,
  })
  .meta({ id: 'Changes', description: 'What happened between two editions.' });

/** The answer of changes. */
export type Changes = z.infer<typeof changesSchema>;

const count = z.int().min(0);

/** The first line of the feed of changes: what it is, and how many lines follow. */
export const changesHeaderSchema = z
  .strictObject({
    since: editionNameSchema,
    edition: editionNameSchema,
    language: z.enum(LANGUAGES).meta({ description: 'Language of the records.' }),
    added: count.meta({ description: 'Number of records that were not there.' }),
    changed: count.meta({ description: 'Number of records of which anything served has changed.' }),
    removed: count.meta({ description: 'Number of records that are not there any more.' }),
  })
  .meta({ description: 'The first line of the feed of changes.' });

/** The first line of the feed of changes. */
export type ChangesHeader = z.infer<typeof changesHeaderSchema>;

const change = z.enum(['added', 'changed']).meta({ description: 'What happened to it.' });

/** A line of the feed of changes after the first. */
export const changedRecordSchema = z
  .union([
    z.strictObject({ kind: z.literal('person'), change, uuid, record: recordSchemas.person }),
    z.strictObject({ kind: z.literal('subject'), change, uuid, record: recordSchemas.subject }),
    z.strictObject({ kind: z.literal('location'), change, uuid, record: recordSchemas.location }),
    z.strictObject({ kind: z.literal('event'), change, uuid, record: recordSchemas.event }),
    z.strictObject({ kind: z.enum(KINDS), change: z.literal('removed'), uuid }),
  ])
  .meta({
    description: 'What happened to a record, and the record where it is there still.',
  });

/** A line of the feed of changes after the first. */
export type ChangedRecord = z.infer<typeof changedRecordSchema>;
