import { KINDS } from '@archiefkast/types/kinds';
import { z } from 'zod';

const count = z.int().min(0);

/** The entry that begins a walk of a kind: the first of its journal. */
export const walkEntrySchema = z.strictObject({
  entry: z.literal('walk'),
  kind: z.enum(KINDS),
  started_at: z.string(),
  /** Why an earlier walk was given up; empty for the first. */
  reason: z.string(),
  /** Whether this walk goes on when the archive moves: the one before was given up for that. */
  tolerant: z.boolean(),
});

/** The entry of a page; its records follow it, one per line. */
export const pageEntrySchema = z.strictObject({
  entry: z.literal('page'),
  kind: z.enum(KINDS),
  page: z.int().min(1),
  url: z.string(),
  retrieved_at: z.string(),
  /** Of the records' lines. */
  sha256: z.string(),
  count,
  total: count,
  next: z.string().nullable(),
  edition: z.string().optional(),
  etag: z.string().optional(),
  /** What moved on this page, in sentences; in tolerant walks only. */
  moved: z.array(z.string()).optional(),
  /** Requests made again, and milliseconds waited, in this walk so far. */
  retries: count,
  waited_ms: count,
  records: count,
});

/** The entry that ends a walk. */
export const endEntrySchema = z.strictObject({
  entry: z.literal('end'),
  kind: z.enum(KINDS),
  finished_at: z.string(),
  /** What did not add up at the end, in sentences. */
  moved: z.array(z.string()),
});

/** A line of a journal that is not a record. */
export const journalEntrySchema = z.discriminatedUnion('entry', [
  walkEntrySchema,
  pageEntrySchema,
  endEntrySchema,
]);

/** Begins a walk of a kind. */
export type WalkEntry = z.infer<typeof walkEntrySchema>;
/** A page; its records follow it, one per line. */
export type PageEntry = z.infer<typeof pageEntrySchema>;
/** Ends a walk. */
export type EndEntry = z.infer<typeof endEntrySchema>;
/** A line of a journal that is not a record. */
export type JournalEntry = z.infer<typeof journalEntrySchema>;
