import { z } from 'zod';
import { editionNameSchema } from './edition-name.ts';
import { uuid } from './fields.ts';
import { KINDS, LANGUAGES } from './kinds.ts';
import { recordSchemas } from './records.ts';

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
