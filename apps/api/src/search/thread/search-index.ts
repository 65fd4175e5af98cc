import { channel } from 'node:diagnostics_channel';
import type { Language } from '@archiefkast/types';
import type { FacetName } from '../fields/facets.ts';
import type { Query } from '../query/query.ts';
import type { FacetResult, SearchResult } from '../read/index-reader.ts';
import type { SoughtWord } from '../read/near-words.ts';
import type { RecordGraph } from '../read/record-graph.ts';
import type { MatchedRecord, SoughtRecord } from '../read/record-matcher.ts';
import type { SuggestedValues, Suggestion } from '../read/suggest.ts';

/** Publishes `begin` and `end` of each query, with its wait, in the async context of the caller. */
export const QUERIES = channel('archive-api:queries');

/** The open search index of an edition. */
export interface SearchIndex {
  /**
   * Executes a query: at most `limit` hits from `offset` (0 is the first), and the total number.
   *
   * @param signal aborts a waiting query; a running one is not stopped
   * @throws SearchTimeout if the query takes too long; SearchBusy if too many are waiting; SearchUnavailable while the
   *   index is not open; SearchIndexDamaged if it has to be rebuilt; the signal's reason
   */
  search(query: Query, offset: number, limit: number, signal?: AbortSignal): Promise<SearchResult>;
  /**
   * Counts the hits, and the most frequent values of each facet, at most `limit`.
   *
   * @param language language of the names of subjects
   * @param signal aborts a waiting query
   * @throws as `search` does
   */
  facets(
    query: Query,
    of: readonly FacetName[],
    language: Language,
    limit: number,
    signal?: AbortSignal,
  ): Promise<FacetResult>;
  /**
   * Suggests values of a field in which a word starts with `prefix`: first those that start with it themselves, then by
   * number of records, then alphabetically.
   *
   * @param prefix the input so far; `""` for any value
   * @param limit maximum number of values
   * @param signal aborts a waiting query
   * @throws as `search` does
   */
  suggest(
    values: SuggestedValues,
    prefix: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Suggestion[]>;
  /**
   * For each word that no record has, the most frequent word that differs in one letter; undefined for others.
   *
   * @param words at most a few: each takes some milliseconds
   * @param signal aborts a waiting query
   * @throws as `search` does
   */
  nearest(words: readonly SoughtWord[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /**
   * Finds the records that a written name may mean, the likeliest first.
   *
   * @param limit maximum number of records
   * @param signal aborts a waiting query
   * @throws as `search` does
   */
  match(sought: SoughtRecord, limit: number, signal?: AbortSignal): Promise<MatchedRecord[]>;
  /**
   * Looks up records in the graph of the edition, synchronously in the calling thread: for fast lookups only.
   *
   * @throws any error of `look`; SearchUnavailable and SearchIndexDamaged as `search` does
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
  override readonly name = 'SearchTimeout';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(`search: the query took more than ${milliseconds} ms and was stopped`);
  }
}

/** Too many queries are waiting to start this one in time. */
export class SearchBusy extends Error {
  override readonly name = 'SearchBusy';

  /** @param waiting number of waiting queries */
  constructor(waiting: number) {
    super(`search: the query was not started in time; ${waiting} others are waiting`);
  }
}

/** The index is not open: it is being opened or built, or its thread cannot be started. */
export class SearchUnavailable extends Error {
  override readonly name = 'SearchUnavailable';

  constructor(cause: unknown) {
    super('search: the index is not open', { cause });
  }
}

/** An open index can no longer be read, and has to be rebuilt. */
export class SearchIndexDamaged extends Error {
  override readonly name = 'SearchIndexDamaged';

  constructor(cause: unknown) {
    super('search: the index is damaged', { cause });
  }
}
