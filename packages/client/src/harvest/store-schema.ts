import { KINDS, LANGUAGES } from '@archiefkast/types';
import { z } from 'zod';

/** Its number is higher for each release that others cannot read. */
export const VERSION = 2;

export const TABLES = `
  CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE pages (
    kind TEXT NOT NULL, page INTEGER NOT NULL, facts TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (kind, page)
  ) STRICT;
  CREATE TABLE records (kind TEXT NOT NULL, uuid TEXT NOT NULL, page INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
  PRAGMA user_version = ${VERSION};
`;

export const walkSchema = z.strictObject({
  /** The base URL. */
  source: z.string(),
  language: z.enum(LANGUAGES),
  kinds: z.array(z.enum(KINDS)),
  /** How it is harvested. */
  from: z.enum(['pages', 'dumps', 'changes']),
  /** Edition of the harvest that the changes are merged into. */
  since: z.string().optional(),
  /** How its events are written. */
  events: z.enum(['full', 'abbreviated']).default('full'),
  /** Edition that all walks are pinned to, if the server supports that. */
  edition: z.string().nullable(),
  started_at: z.string(),
});

/** The identity of a harvest. */
export type Walk = z.infer<typeof walkSchema>;

export const kindWalkSchema = z.strictObject({
  /** Why the previous walk was abandoned; empty for the first. */
  reason: z.string(),
  /** Whether it continues if the archive changes: the previous one was abandoned for that. */
  tolerant: z.boolean(),
  finished_at: z.string().nullable(),
  /** Inconsistencies at the end, as sentences. */
  moved: z.array(z.string()),
});

export type KindWalk = z.infer<typeof kindWalkSchema>;

export const pageSchema = z.strictObject({
  page: z.int(),
  url: z.string(),
  retrieved_at: z.string(),
  count: z.int(),
  total: z.int(),
  next: z.string().nullable(),
  edition: z.string().nullable(),
  etag: z.string().nullable(),
  /** Changes of the archive at this page, as sentences. */
  moved: z.array(z.string()),
  /** Unknown fields of its records, which a lenient harvest keeps. */
  extra: z.array(z.string()),
  /** Records, retries and milliseconds waited in this walk so far. */
  records: z.int(),
  retries: z.int(),
  waited_ms: z.number(),
});

/** A page without its records. */
export type PageFacts = z.infer<typeof pageSchema>;

export const filesSchema = z.array(z.strictObject({ name: z.string(), sha256: z.string() }));

export type WrittenFiles = z.infer<typeof filesSchema>;
