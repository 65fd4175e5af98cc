import { z } from 'zod';
import { editionNameSchema, licenceSchema } from './edition-name.ts';
import { absoluteUrl } from './fields.ts';
import { COLLECTIONS, LANGUAGES } from './kinds.ts';

const count = z.int().min(0);

const endpointSchema = z.strictObject({
  name: z.string().meta({ description: 'What it is called.' }),
  description: z.string().meta({ description: 'What it answers.' }),
  url: z.string().meta({ description: 'Its address, with {uuid} for a segment; without query.' }),
  template: z
    .string()
    .meta({ description: 'Its address with its parameters, as a URI template (RFC 6570).' }),
});

/** The answer of the index: what the archive is, and what can be asked of it. */
export const archiveIndexSchema = z
  .strictObject({
    title: z.string().nullable().meta({ description: 'Name of the archive.' }),
    description: z.string().nullable().meta({ description: 'What the archive is.' }),
    publisher: z.string().nullable().meta({ description: 'Who publishes it.' }),
    licence: licenceSchema.nullable(),
    homepage: absoluteUrl.nullable().meta({ description: 'Web site of the archive.' }),
    logo: absoluteUrl.optional().meta({ description: 'Its logo; absent where it has none.' }),
    colours: z
      .strictObject({ light: z.string(), dark: z.string() })
      .optional()
      .meta({ description: 'Its colour on light and on dark ground; absent where it has none of its own.' }),
    language: z.enum(LANGUAGES).meta({ description: 'Language of the request.' }),
    edition: editionNameSchema,
    counts: z
      .strictObject({
        [COLLECTIONS.person]: count,
        [COLLECTIONS.subject]: count,
        [COLLECTIONS.location]: count,
        [COLLECTIONS.event]: count,
      })
      .meta({ description: 'Number of records of each kind.' }),
    total: count.meta({ description: 'Number of records of all kinds.' }),
    documentation: absoluteUrl.meta({ description: 'The documentation, for people.' }),
    openapi: absoluteUrl.meta({ description: 'The documentation, for programs (OpenAPI).' }),
    endpoints: z.array(endpointSchema).meta({ description: 'Every endpoint.' }),
  })
  .meta({ id: 'ArchiveIndex', description: 'What the archive is, and what can be asked of it.' });

/** The answer of the index. */
export type ArchiveIndex = z.infer<typeof archiveIndexSchema>;
