import { z } from 'zod';

/** The answer of suggest: values of a field in which a word begins with what has been typed. */
export const suggestionsSchema = z
  .strictObject({
    field: z.string().meta({ description: 'The field asked for.' }),
    prefix: z.string().meta({ description: 'What has been typed.' }),
    values: z
      .array(
        z.strictObject({
          value: z.string().meta({ description: 'A value, as a record writes it.' }),
          count: z.int().min(1).meta({ description: 'Number of records that have it.' }),
        }),
      )
      .meta({ description: 'At most ten values, those of most records first, then by alphabet.' }),
  })
  .meta({ id: 'Suggestions', description: 'Values that a field has.' });

/** The answer of suggest. */
export type Suggestions = z.infer<typeof suggestionsSchema>;
