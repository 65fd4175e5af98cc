import { z } from 'zod';
import { editionNameSchema } from './edition-name.ts';
import { uuid } from './fields.ts';
import { COLLECTIONS } from './kinds.ts';

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
