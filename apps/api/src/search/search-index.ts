import type { SearchResult } from './index-reader.ts';
import type { Query } from './query.ts';
import type { Suggestion } from './suggest.ts';

/** An edition's search index, open for queries. */
export interface SearchIndex {
  /**
   * The hits from `offset` (0 is the best), at most `limit`, and how many there are in all.
   *
   * @throws SearchTimeout when the query takes too long
   */
  search(query: Query, offset: number, limit: number): Promise<SearchResult>;
  /**
   * Values of a field in which a word begins with `prefix`, those of most records first, then by alphabet.
   *
   * @param field the name of a search field whose matching is `contains`; others have no suggestions
   * @param prefix what was typed so far; `""` for any value
   * @param limit most values given
   * @throws SearchTimeout when it takes too long
   */
  suggest(field: string, prefix: string, limit: number): Promise<Suggestion[]>;
  /** Closes the index when all that was asked is answered; it takes no more questions. */
  close(): Promise<void>;
}
