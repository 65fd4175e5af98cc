import type { Language } from '@archiefkast/types';
import type { FacetName } from '../fields/facets.ts';
import type { Query } from '../query/query.ts';
import type { FacetResult, SearchResult } from '../read/index-reader.ts';
import type { RecordGraph } from '../read/record-graph.ts';
import type { Suggestion } from '../read/suggest.ts';

/** An edition's search index, open for queries. */
export interface SearchIndex {
  /**
   * The hits from `offset` (0 is the first), at most `limit`, and how many there are in all.
   *
   * @param signal the asker has left: what has not been begun is not done
   * @throws SearchTimeout when the query takes too long; SearchBusy when too many wait; SearchUnavailable while
   *   there is no index to ask; SearchIndexDamaged when it has to be built again; the signal's reason
   */
  search(query: Query, offset: number, limit: number, signal?: AbortSignal): Promise<SearchResult>;
  /**
   * How many hits there are, and the values that most of them have, of each facet at most `limit`.
   *
   * @param language that of the names of subjects
   * @param signal the asker has left
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
   * Values of a field in which a word begins with `prefix`: those that begin with it themselves first, then those of
   * most records, then by alphabet.
   *
   * @param field the name of a search field that has suggestions, others give none; without it, the
   *   names of all records
   * @param prefix what was typed so far; `""` for any value
   * @param limit most values given
   * @param signal the asker has left
   * @throws as `search` does
   */
  suggest(
    field: string | undefined,
    prefix: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Suggestion[]>;
  /**
   * Looks records up in the graph of the edition, at once and in the thread that asks: it is for what takes no time.
   *
   * @throws what `look` throws; SearchUnavailable and SearchIndexDamaged as `search` does
   */
  look<Found>(look: (graph: RecordGraph) => Found): Promise<Found>;
  /** How many questions wait. */
  readonly waiting: number;
  /** Bytes that it keeps in memory. */
  readonly byteLength: number;
  /** Closes the index when all that was asked is answered; it takes no more questions. */
  close(): Promise<void>;
}

/** A query took longer than it may, and was stopped. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';

  /** @param milliseconds what it was given */
  constructor(milliseconds: number) {
    super(`search: the query took more than ${milliseconds} ms and was stopped`);
  }
}

/** So many wait for the index that a query cannot be answered in its time. */
export class SearchBusy extends Error {
  override readonly name = 'SearchBusy';

  /** @param waiting how many wait already */
  constructor(waiting: number) {
    super(`search: the query was not begun in its time; ${waiting} others wait`);
  }
}

/** There is no index to ask at this moment: it is being opened or built, or its thread cannot be started. */
export class SearchUnavailable extends Error {
  override readonly name = 'SearchUnavailable';

  constructor(cause: unknown) {
    super('search: the index is not open', { cause });
  }
}

/** An index that was open cannot be read any more: it has to be built again. */
export class SearchIndexDamaged extends Error {
  override readonly name = 'SearchIndexDamaged';

  constructor(cause: unknown) {
    super('search: the index is damaged', { cause });
  }
}
