import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { byteLengthOf, Cache } from '../../cache.ts';
import { type CountedValue, FACETS, type FacetName } from '../fields/facets.ts';
import { fold } from '../fields/fold.ts';
import { NAMES } from '../fields/search-fields.ts';
import { FULL_SCORE } from '../file/column-matches.ts';
import { ALL_RECORDS, type Query } from '../query/query.ts';
import { ClauseScorer } from './clause-scorer.ts';
import { FacetCounter } from './facet-counter.ts';
import type { SoughtWord } from './near-words.ts';
import { type OpenIndex, readIndex } from './read-index.ts';
import { GRAPH_ORDERS, type GraphData } from './record-graph.ts';
import { type MatchedRecord, RecordMatcher, type SoughtRecord } from './record-matcher.ts';
import { addScores, type Ranking, rank, removeScored, type Scores } from './scores.ts';
import { type SuggestedValues, type Suggestion, suggest } from './suggest.ts';

/** A hit of a query. */
export interface Hit {
  kind: Kind;
  position: number;
  /** Relevance: above 0, with four decimals; descending, unless the query has another order. */
  score: number;
}

/** A page of hits. */
export interface SearchResult {
  /** Total number of hits. */
  count: number;
  hits: Hit[];
}

/** The number of hits, and of hits per value. */
export interface FacetResult {
  count: number;
  facets: { facet: FacetName; values: CountedValue[] }[];
}

/** Number of warm-up counts of all records, per language. */
const WARM_COUNTS = 2;

/** Executes queries on an index file, in the calling thread. */
export class IndexReader {
  readonly #index: OpenIndex;
  readonly #scorer: ClauseScorer;
  readonly #facets: FacetCounter;
  readonly #matcher: RecordMatcher;
  readonly #rankings: Cache<Ranking>;

  /**
   * @param cacheBytes size of the cache: four fifths for fields, a fifth for the hits of recent queries; the names that
   *   `warm` reads, and what is read of all records at once, are not included
   * @throws SearchIndexFormatError if the file is not an index of the current format
   */
  constructor(file: string, cacheBytes: number) {
    this.#index = readIndex(file, (cacheBytes * 4) / 5);
    this.#scorer = new ClauseScorer(this.#index);
    this.#facets = new FacetCounter(this.#index);
    this.#matcher = new RecordMatcher(this.#index);
    this.#rankings = new Cache<Ranking>(cacheBytes / 5, byteLengthOf);
  }

  /** Memory used, in bytes. */
  get byteLength(): number {
    const used = [this.#index.columns, this.#index.tables, this.#facets, this.#rankings];
    return used.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Warms up: reads and pins the columns that every query with free words uses, and counts the facets of all records often
   * enough for V8 to compile that code, which makes it several times faster.
   */
  warm(): void {
    for (const { kinds, columns } of NAMES) {
      for (const kind of kinds) for (const name of columns) this.#index.columns.pin(kind, name);
    }
    for (let count = 0; count < WARM_COUNTS; count++)
      for (const language of LANGUAGES) this.facets(ALL_RECORDS, FACETS, language, 1);
  }

  /** At most `limit` hits from `offset` (0 is the first), and the total number. */
  search(query: Query, offset: number, limit: number): SearchResult {
    const { docs, scores } = this.#rank(query);
    const hits = Array.from(docs.subarray(offset, offset + limit), (doc, at) => ({
      ...this.#index.records.recordOf(doc),
      score: (scores[offset + at] ?? 0) / FULL_SCORE,
    }));
    return { count: docs.length, hits };
  }

  /** Counts the hits, and the most frequent values of each facet, at most `limit`; names of subjects are in `language`. */
  facets(query: Query, of: readonly FacetName[], language: Language, limit: number): FacetResult {
    const { docs } = this.#rank(query);
    const areEvents = query.clauses.some((clause) => clause.type === 'kind' && clause.kind === 'event');
    const count = (facet: FacetName) => this.#facets.count(docs, facet, { language, limit, areEvents });
    return { count: docs.length, facets: of.map((facet) => ({ facet, values: count(facet) })) };
  }

  /**
   * Suggests values of a field: see `suggest`.
   *
   * @param prefix the input so far; `""` for any value
   */
  suggest(values: SuggestedValues, prefix: string, limit: number): Suggestion[] {
    return suggest(this.#index.columns, values, fold(prefix), limit);
  }

  /**
   * For each word that no record has, the most frequent word that differs in one letter; undefined for others.
   *
   * @param words at most a few: each takes some milliseconds
   */
  nearest(words: readonly SoughtWord[]): (string | undefined)[] {
    return words.map((word) => this.#index.words.nearest(word));
  }

  /** Finds the records that a written name may mean, at most `limit`, the likeliest first. */
  match(sought: SoughtRecord, limit: number): MatchedRecord[] {
    return this.#matcher.match(sought, limit);
  }

  /** Reads what the graph of the records needs of all of them. */
  readGraph(): GraphData {
    return {
      counts: new Map(this.#index.records.spans.map(({ kind, records }) => [kind, records])),
      slots: this.#index.records.slots.slice(),
      orders: new Map(GRAPH_ORDERS.map((order) => [order, this.#index.tables.ordered(order).slice()])),
    };
  }

  close(): void {
    this.#index.database.close();
  }

  #rank(query: Query): Ranking {
    return this.#rankings.get(JSON.stringify(query), () => {
      const scores = this.#score(query);
      return rank(scores, query.order && this.#index.tables.ordered(query.order));
    });
  }

  #score({ clauses: [first, ...others], excluded }: Query): Scores {
    const scores = first
      ? this.#scorer.score(first)
      : new Uint32Array(this.#index.records.total).fill(FULL_SCORE);
    for (const clause of others) addScores(scores, this.#scorer.score(clause));
    for (const clause of excluded) removeScored(scores, this.#scorer.score(clause));
    return scores;
  }
}
