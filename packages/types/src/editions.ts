import { z } from 'zod';
import { BLOCK_RECORDS } from './dump-blocks.ts';
import { absoluteUrl, count, text, uuid } from './field-schemas.ts';
import { forCollections, KINDS, LANGUAGES } from './kinds.ts';
import { abbreviatedEventSchema, recordSchemas } from './records.ts';

export const editionNameSchema = z
  .strictObject({
    id: z.int().min(1).meta({ description: 'Number of the edition; increases with every publish.' }),
    key: z.uuid().meta({ description: 'UUID of the edition.' }),
    published_at: z.iso.datetime().meta({ description: 'Time of publication (ISO 8601, UTC).' }),
  })
  .meta({ id: 'Edition', description: 'An edition: one published state of the whole archive.' });

export const licenceSchema = z
  .strictObject({
    name: text('Name of the licence.'),
    url: text('URL of the text of the licence.'),
  })
  .meta({ id: 'Licence', description: 'Terms of use.' });

/** Response of editions: the kept editions, and which of them is served. */
export const editionsSchema = z
  .strictObject({
    served: z.int().min(1).meta({ description: 'Number of the edition that is served now.' }),
    editions: z
      .array(
        z.strictObject({
          ...editionNameSchema.shape,
          total: count.meta({ description: 'Number of records of all kinds.' }),
        }),
      )
      .meta({ description: 'The kept editions, newest first.' }),
  })
  .meta({ id: 'Editions', description: 'The kept editions.' });

/** The kept editions, newest first. */
export type Editions = z.infer<typeof editionsSchema>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const fileFields = {
  name: text('Name of the file.'),
  url: absoluteUrl.meta({ description: 'URL of the file.' }),
  media_type: text('Media type of the file.'),
  kind: z.enum(KINDS).meta({ description: 'Kind of the records in the file.' }),
  records: count.meta({ description: 'Number of records in the file.' }),
};

const bytes = count.meta({ description: 'Size in bytes, without content coding.' });

const dumpBlocksSchema = z
  .strictObject({
    records: z.literal(BLOCK_RECORDS).meta({ description: 'Number of records in each block but the last.' }),
    sha256: sha256.meta({
      description: 'SHA-256 of `hashes`, joined: it stands for the records of the dump.',
    }),
    hashes: z.array(sha256).meta({ description: 'SHA-256 of each block: of the hashes of its records.' }),
  })
  .meta({ id: 'DumpBlocks', description: 'Hashes of the records of a dump, whatever its base URL.' });

/** Hashes of the records of a dump, whatever its base URL. */
export type DumpBlocks = z.infer<typeof dumpBlocksSchema>;

const dumpSchema = z
  .strictObject({
    ...fileFields,
    kind: fileFields.kind.optional().meta({
      description: 'Kind of the records in the file; absent for `supplement.jsonl`, which is about several.',
    }),
    bytes: bytes.optional(),
    blocks: dumpBlocksSchema.optional(),
    sha256: sha256.optional().meta({ description: 'SHA-256 of `supplement.jsonl`, in hexadecimal.' }),
  })
  .meta({
    id: 'Dump',
    description:
      'A file with all records of a kind, or `supplement.jsonl`. JSON Lines have a size and hashes; the other formats are made from the same records.',
  });

/** Response of the manifest: the dumps of an edition, with the hashes of their records. */
export const manifestSchema = z
  .strictObject({
    edition: editionNameSchema,
    language: z.enum(LANGUAGES).meta({ description: 'Language of the files.' }),
    licence: licenceSchema.nullable(),
    dumps: z.array(dumpSchema).meta({ description: 'The dumps.' }),
  })
  .meta({ id: 'Manifest', description: 'The dumps of an edition.' });

/** The dumps of an edition, with sizes and hashes. */
export type Manifest = z.infer<typeof manifestSchema>;

const kindChangesSchema = z
  .strictObject({
    added: z.array(uuid).meta({ description: 'Added records, ordered by id.' }),
    changed: z
      .array(uuid)
      .meta({ description: 'Records of which any served field has changed, ordered by id.' }),
    removed: z.array(uuid).meta({ description: 'Removed records, ordered by id.' }),
  })
  .meta({ id: 'KindChanges', description: 'Uuids of the added, changed and removed records of a kind.' });

/** Uuids of the added, changed and removed records of a kind. */
export type KindChanges = z.infer<typeof kindChangesSchema>;

/** Response of changes: the differences between two editions. */
export const changesSchema = z
  .strictObject({
    since: editionNameSchema,
    edition: editionNameSchema,
    ...forCollections(() => kindChangesSchema),
  })
  .meta({ id: 'Changes', description: 'Differences between two editions.' });

/** Differences between two editions. */
export type Changes = z.infer<typeof changesSchema>;

/** First line of the feed of changes: its editions, and how many records follow. */
export const changesHeaderSchema = z
  .strictObject({
    since: editionNameSchema,
    edition: editionNameSchema,
    language: z.enum(LANGUAGES).meta({ description: 'Language of the records.' }),
    added: count.meta({ description: 'Number of added records.' }),
    changed: count.meta({ description: 'Number of changed records.' }),
    removed: count.meta({ description: 'Number of removed records.' }),
  })
  .meta({ description: 'The first line of the feed of changes.' });

/** First line of the feed of changes: its editions, and how many records follow. */
export type ChangesHeader = z.infer<typeof changesHeaderSchema>;

const change = z.enum(['added', 'changed']).meta({ description: 'Whether the record was added or changed.' });

/** The schema of a line of the feed of changes after the first, by that of its events. */
function changedRecord<EventType extends z.ZodType>(event: EventType) {
  return z
    .union([
      z.strictObject({ kind: z.literal('person'), change, uuid, record: recordSchemas.person }),
      z.strictObject({ kind: z.literal('subject'), change, uuid, record: recordSchemas.subject }),
      z.strictObject({ kind: z.literal('location'), change, uuid, record: recordSchemas.location }),
      z.strictObject({ kind: z.literal('event'), change, uuid, record: event }),
      z.strictObject({ kind: z.enum(KINDS), change: z.literal('removed'), uuid }),
    ])
    .meta({
      description: 'A change of a record, with the record unless it was removed.',
    });
}

/** A line of the feed of changes after the first. */
export const changedRecordSchema = changedRecord(recordSchemas.event);

/** The same where events are abbreviated. */
export const abbreviatedChangeSchema = changedRecord(abbreviatedEventSchema);

/** A line of the feed of changes after the first. */
export type ChangedRecord = z.infer<typeof changedRecordSchema>;
