import { KINDS, LANGUAGES } from '@archiefkast/types/kinds';
import { z } from 'zod';

const count = z.int().min(0);

/** What the file of a proof holds, without the hash at its end. */
export const proofSchema = z.strictObject({
  /** Name and version of the program. */
  tool: z.string(),
  /** The base URL. */
  source: z.string(),
  language: z.enum(LANGUAGES),
  /** The edition that was harvested, where the server offers that. */
  edition: z.string().nullable(),
  started: z.string(),
  finished: z.string(),
  /** Whether nothing moved, in any kind and between them, and the records are whole. */
  complete: z.boolean(),
  /** The formats that were written, and whether CSV files begin with a byte order mark. */
  formats: z.array(z.string()).optional(),
  bom: z.boolean().optional(),
  /** Whether CSV has texts in both languages, and as HTML. */
  both: z.boolean().optional(),
  html: z.boolean().optional(),
  /** What is wrong with the records, in sentences. */
  problems: z.array(z.string()).optional(),
  /** The edition whose manifest, kept beside the proof, has the hash of each kind's records. */
  published_as: z.string().nullable().optional(),
  /** What does not agree between the kinds, in sentences. */
  moved: z.array(z.string()),
  kinds: z.array(
    z.strictObject({
      kind: z.enum(KINDS),
      pages: count,
      rows: count,
      unique_uuids: count,
      /** Records that the server promised. */
      count,
      total_at_start: count,
      total_at_end: count,
      retries: count,
      seconds_waited: z.number(),
      /** Why the kind was walked again; empty when once was enough. */
      walked_again: z.string(),
      moved: z.array(z.string()),
    }),
  ),
  files: z.array(z.strictObject({ name: z.string(), bytes: count, sha256: z.string() })),
});

/** What proves that a harvest is whole. */
export type Proof = z.infer<typeof proofSchema>;
