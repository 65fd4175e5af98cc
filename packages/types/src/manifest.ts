import { z } from 'zod';
import { editionNameSchema, licenceSchema } from './edition-name.ts';
import { absoluteUrl } from './fields.ts';
import { KINDS, LANGUAGES } from './kinds.ts';

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
