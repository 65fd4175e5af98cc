import { KINDS, LANGUAGES } from '@archiefkast/types/kinds';
import { z } from 'zod';

/** What a walk file holds. */
export const walkFileSchema = z.strictObject({
  /** The base URL. */
  source: z.string(),
  language: z.enum(LANGUAGES),
  kinds: z.array(z.enum(KINDS)),
  /** By which way it is harvested; pages where it is not said. */
  from: z.enum(['pages', 'dumps', 'changes']).optional(),
  /** The edition whose harvest the changes are put into. */
  since: z.string().optional(),
  /** The edition that all walks are pinned to, where the server offers that. */
  edition: z.string().nullable(),
  started_at: z.string(),
});

/** What a journal folder is a harvest of. */
export type WalkFile = z.infer<typeof walkFileSchema>;
