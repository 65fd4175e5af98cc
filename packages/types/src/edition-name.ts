import { z } from 'zod';

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
