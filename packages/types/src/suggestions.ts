import { z } from 'zod';
import { uuid } from './fields.ts';
import { KINDS } from './kinds.ts';

/** The answer of suggest: values of a field in which a word begins with what has been typed. */
export const suggestionsSchema = z
  .strictObject({
    field: z
      .string()
      .nullable()
      .meta({ description: 'The field asked for; null for the names of all records.' }),
    prefix: z.string().meta({ description: 'What has been typed.' }),
    values: z
      .array(
        z.strictObject({
          value: z.string().meta({ description: 'A value, as a record writes it.' }),
          count: z.int().min(1).meta({ description: 'Number of records that have it.' }),
          kind: z.enum(KINDS).optional().meta({ description: 'Kind of the record, where one has it.' }),
          uuid: uuid.optional(),
        }),
      )
      .meta({
        description:
          'At most ten values: those that begin with what has been typed first, then those of most records, then by alphabet.',
      }),
  })
  .meta({ id: 'Suggestions', description: 'Values that a field has.' });

/** The answer of suggest. */
export type Suggestions = z.infer<typeof suggestionsSchema>;
