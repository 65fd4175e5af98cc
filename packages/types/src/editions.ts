import { z } from 'zod';
import { BLOCK_RECORDS } from './dump-blocks.ts';
import { absoluteUrl, count, text, uuid } from './field-schemas.ts';
import { forCollections, KINDS, LANGUAGES } from './kinds.ts';
import { abbreviatedEventSchema, recordSchemas } from './records.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

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
          bundle: text('Name of the bundle that was published.'),
          sha256: sha256.meta({
            description: 'SHA-256 of the bundle: of its workbook, or of what sha256sum prints for its files.',
          }),
          version: text('Version of the program that published it.'),
          note: text('What the publisher says of it.').nullable(),
          original: editionNameSchema.pick({ id: true, key: true }).optional().meta({
            description: 'Of a copy: number and key of the edition at the original.',
          }),
        }),
      )
      .meta({ description: 'The kept editions, newest first.' }),
    switches: z
      .array(
        z.strictObject({
          at: z.iso.datetime().meta({ description: 'Since when it was served (ISO 8601, UTC).' }),
          command: z.enum(['publish', 'switch', 'rollback']).meta({ description: 'What changed it.' }),
          from: z.int().min(1).nullable().meta({ description: 'Number of the edition served before.' }),
          to: z.int().min(1).meta({ description: 'Number of the edition that was served from then on.' }),
        }),
      )
      .meta({ description: 'When another edition was served, newest first; of kept editions.' }),
  })
  .meta({ id: 'Editions', description: 'The kept editions.' });

/** The kept editions, newest first. */
export type Editions = z.infer<typeof editionsSchema>;

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

/** The archive that a copy is of. It names the records of the copy too. */
export const originSchema = z
  .strictObject({
    address: absoluteUrl.meta({ description: 'Base of the addresses that name its records.' }),
    archive: z.uuid().meta({ description: 'Random id of the archive, at whatever address it is.' }),
    edition: editionNameSchema.shape.id,
    key: editionNameSchema.shape.key,
    published_at: editionNameSchema.shape.published_at,
    verified_at: z.iso.datetime().optional().meta({
      description:
        'When it was verified that the records are those of the edition; absent at the archive itself.',
    }),
    sha256: sha256.optional().meta({ description: 'SHA-256 of all that was copied.' }),
  })
  .meta({ id: 'Origin', description: 'The archive and edition of which this is, or of which it is a copy.' });

/** The archive that a copy is of. */
export type Origin = z.infer<typeof originSchema>;

const bilingual = z.strictObject({ nl: z.string(), en: z.string() });

const describedSchema = z
  .looseObject({
    title: bilingual.optional().meta({ description: 'Name of the archive.' }),
    description: bilingual.optional().meta({ description: 'Description of the archive.' }),
    licence: licenceSchema.optional(),
    mirror_of: originSchema,
  })
  .meta({
    id: 'DescribedArchive',
    description: 'The `archive.json` of a copy: all that the archive says of itself, but its UUID.',
  });

/** What an archive says of itself, for its copies. */
export type DescribedArchive = z.infer<typeof describedSchema>;

/** Response of the manifest: the dumps of an edition, with the hashes of their records. */
export const manifestSchema = z
  .strictObject({
    edition: editionNameSchema,
    language: z.enum(LANGUAGES).meta({ description: 'Language of the files.' }),
    licence: licenceSchema.nullable(),
    archive: describedSchema.optional(),
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

/** Response of gone: the records that an archive has taken back. */
export const goneSchema = z
  .strictObject({
    records: z.array(
      z.strictObject({
        kind: z.enum(KINDS).meta({ description: 'Its kind.' }),
        uuid,
        since: z.iso.datetime().meta({ description: 'The time of the first edition without the record.' }),
      }),
    ),
  })
  .meta({ id: 'Gone', description: 'The records that were published and are no more, by uuid.' });

/** The records that an archive has taken back. */
export type Gone = z.infer<typeof goneSchema>;

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
