import { KINDS } from '@archiefkast/types/kinds';
import { z } from 'zod';

const count = z.int().min(0);

/** The entry at the start of a walk, the first of a journal. */
export const walkEntrySchema = z.strictObject({
  entry: z.literal('walk'),
  kind: z.enum(KINDS),
  started_at: z.string(),
  /** Why the previous walk was abandoned; empty for the first. */
  reason: z.string(),
  /** Whether this walk continues if the archive changes: the previous one was abandoned for that. */
  tolerant: z.boolean(),
});

/** The entry of a page; its records follow it, one per line. */
export const pageEntrySchema = z.strictObject({
  entry: z.literal('page'),
  kind: z.enum(KINDS),
  page: z.int().min(1),
  url: z.string(),
  retrieved_at: z.string(),
  /** SHA-256 of the records' lines. */
  sha256: z.string(),
  count,
  total: count,
  next: z.string().nullable(),
  edition: z.string().optional(),
  etag: z.string().optional(),
  /** Changes of the archive at this page, as sentences; in tolerant walks only. */
  moved: z.array(z.string()).optional(),
  /** Retries and milliseconds waited in this walk so far. */
  retries: count,
  waited_ms: count,
  records: count,
});

/** The entry at the end of a walk. */
export const endEntrySchema = z.strictObject({
  entry: z.literal('end'),
  kind: z.enum(KINDS),
  finished_at: z.string(),
  /** Inconsistencies at the end, as sentences. */
  moved: z.array(z.string()),
});

/** A line of a journal that is not a record. */
export const journalEntrySchema = z.discriminatedUnion('entry', [
  walkEntrySchema,
  pageEntrySchema,
  endEntrySchema,
]);

/** Start of a walk. */
export type WalkEntry = z.infer<typeof walkEntrySchema>;
/** A page; its records follow it, one per line. */
export type PageEntry = z.infer<typeof pageEntrySchema>;
/** End of a walk. */
export type EndEntry = z.infer<typeof endEntrySchema>;
/** A line of a journal that is not a record. */
export type JournalEntry = z.infer<typeof journalEntrySchema>;
