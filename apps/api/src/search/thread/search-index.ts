import { channel } from 'node:diagnostics_channel';
import type { IndexReader } from '../read/index-reader.ts';
import type { RecordGraph } from '../read/record-graph.ts';

/** Publishes `begin` and `end` of each query, with its wait, in the async context of the caller. */
export const QUERIES = channel('archive-api:queries');

/** The name of a method of `IndexReader` that executes a query. */
type QueryName = 'search' | 'facets' | 'years' | 'suggest' | 'nearest' | 'match';

export type QueryArguments = { [Name in QueryName]: Parameters<IndexReader[Name]> };

export type QueryAnswers = { [Name in QueryName]: ReturnType<IndexReader[Name]> };

/** The queries of `IndexReader`, executed in turn in a thread. The signal aborts a waiting query; a running one is not stopped. */
type Queries = {
  [Name in QueryName]: (
    ...given: [...QueryArguments[Name], signal?: AbortSignal | undefined]
  ) => Promise<QueryAnswers[Name]>;
};

/**
 * The open search index of an edition. Its queries throw SearchTimeout if one takes too long; SearchBusy if too many are
 * waiting; SearchUnavailable while the index is not open; SearchIndexDamaged if it has to be rebuilt; the signal's reason.
 */
export interface SearchIndex extends Queries {
  /**
   * Looks up records in the graph of the edition, synchronously in the calling thread: for fast lookups only.
   *
   * @throws any error of `look`; SearchUnavailable and SearchIndexDamaged as queries do
   */
  look<Found>(look: (graph: RecordGraph) => Found): Promise<Found>;
  /** Number of waiting queries. */
  readonly waiting: number;
  /** Memory used, in bytes. */
  readonly byteLength: number;
  /** Completes the pending queries, accepts no new ones, and closes the index. */
  close(): Promise<void>;
}

/** A query timed out, and was stopped. */
export class SearchTimeout extends Error {
  override name = 'SearchTimeout';

  constructor(milliseconds: number) {
    super(`search: the query took more than ${milliseconds} ms and was stopped`);
  }
}

/** Too many queries are waiting to start this one in time. */
export class SearchBusy extends Error {
  override name = 'SearchBusy';

  constructor(waiting: number) {
    super(`search: the query was not started in time; ${waiting} others are waiting`);
  }
}

/** The index is not open: it is being opened or built, or its thread cannot be started. */
export class SearchUnavailable extends Error {
  override name = 'SearchUnavailable';

  constructor(cause: unknown) {
    super('search: the index is not open', { cause });
  }
}

/** An open index can no longer be read, and has to be rebuilt. */
export class SearchIndexDamaged extends Error {
  override name = 'SearchIndexDamaged';

  constructor(cause: unknown) {
    super('search: the index is damaged', { cause });
  }
}
