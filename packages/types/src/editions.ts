import { z } from 'zod';
import { editionNameSchema } from './edition-name.ts';

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
