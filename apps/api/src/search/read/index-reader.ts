import type { DatabaseSync } from 'node:sqlite';
import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { byteLengthOf, Cache } from '../../cache.ts';
import { type CountedValue, FACETS, type FacetName } from '../fields/facets.ts';
import { fold } from '../fields/fold.ts';
import { NAMES } from '../fields/search-fields.ts';
import { Arrays } from '../file/arrays.ts';
import { FULL_SCORE } from '../file/column-matches.ts';
import { Columns } from '../file/columns.ts';
import { type DocNumbers, openIndexFile, orderName, readDocNumbers } from '../file/index-file.ts';
import { Postings } from '../file/postings.ts';
import { ALL_RECORDS, type Clause, type Query } from '../query/query.ts';
import { ClauseScorer } from './clause-scorer.ts';
import { FacetCounter } from './facet-counter.ts';
import { NearWords, type SoughtWord } from './near-words.ts';
import { type GraphArrays, readGraphArrays } from './record-graph.ts';
import {
  addScores,
  allHits,
  type Places,
  type Ranking,
  Rooms,
  rank,
  removeScored,
  type Scores,
  sortInto,
} from './scores.ts';
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

/** Number of hits that are sorted at a time, for many pages: to sort all hits of a common word takes as long as to find them. */
const SORTED_HITS = 1_000;

/** Number of warm-up counts of all records, per language. */
const WARM_COUNTS = 2;

/** Executes queries on an index file, in the calling thread. */
export class IndexReader {
  readonly #database: DatabaseSync;
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;
  readonly #scorer: ClauseScorer;
  readonly #facets: FacetCounter;
  readonly #rankings: Cache<Ranking>;
  readonly #words: NearWords;
  readonly #rooms: Rooms;

  /**
   * @param cacheBytes size of the cache: three fifths for fields, a fifth each for arrays and the hits of recent queries; the
   *   names that `warm` reads are not included
   * @throws SearchIndexFormatError if the file is not an index of the current format
   */
  constructor(file: string, cacheBytes: number) {
    this.#database = openIndexFile(file);
    this.#docs = readDocNumbers(this.#database);
    this.#rooms = new Rooms(this.#docs.total);
    this.#columns = new Columns(this.#database, (cacheBytes * 3) / 5);
    this.#arrays = new Arrays(this.#database, cacheBytes / 5);
    const postings = new Postings(this.#database);
    this.#words = new NearWords(postings, this.#columns);
    this.#scorer = new ClauseScorer(
      this.#docs,
      { columns: this.#columns, arrays: this.#arrays, postings },
      this.#words,
      this.#rooms,
    );
    this.#facets = new FacetCounter(this.#docs, this.#columns, this.#arrays);
    this.#rankings = new Cache<Ranking>(cacheBytes / 5, byteLengthOf);
  }

  /** Memory used, in bytes. */
  get byteLength(): number {
    return this.#columns.byteLength + this.#arrays.byteLength + this.#rankings.byteLength;
  }

  /**
   * Warms up: reads and pins the columns that every query with free words uses, and counts the facets of all records often
   * enough for V8 to compile that code, which makes it several times faster.
   */
  warm(): void {
    for (const { kinds, columns } of NAMES) {
      for (const kind of kinds) for (const name of columns) this.#columns.pin(kind, name);
    }
    this.#words.warm();
    for (let count = 0; count < WARM_COUNTS; count++)
      for (const language of LANGUAGES) this.facets(ALL_RECORDS, FACETS, language, 1);
  }

  /** At most `limit` hits from `offset` (0 is the first), and the total number. */
  search(query: Query, offset: number, limit: number): SearchResult {
    const from = offset - (offset % SORTED_HITS);
    const to = Math.max(from + SORTED_HITS, offset + limit);
    const { count, docs, scores } = this.#rank(query, { from, to });
    const page = docs.subarray(offset - from, offset - from + limit);
    const hits = Array.from(page, (doc, at) => ({
      ...this.#docs.recordOf(doc),
      score: (scores[offset - from + at] ?? 0) / FULL_SCORE,
    }));
    return { count, hits };
  }

  /** The most frequent values of the hits, at most `limit` per facet. */
  facets(query: Query, of: readonly FacetName[], language: Language, limit: number): FacetResult {
    const ranking = this.#rank(query, { from: 0, to: SORTED_HITS });
    const areEvents = query.clauses.some((clause) => clause.type === 'kind' && clause.kind === 'event');
    return this.#rooms.use((room) => {
      const hits = allHits(ranking, room);
      const count = (facet: FacetName) => this.#facets.count(hits, facet, { language, limit, areEvents });
      return { count: ranking.count, facets: of.map((facet) => ({ facet, values: count(facet) })) };
    });
  }

  /**
   * Suggests values of a field in which a word starts with `prefix`: see `SearchIndex.suggest`.
   *
   * @param prefix the input so far; `""` for any value
   * @param limit maximum number of values
   */
  suggest(values: SuggestedValues, prefix: string, limit: number): Suggestion[] {
    return suggest(this.#columns, values, fold(prefix), limit);
  }

  /** For each word that no record has, the nearest word that some have: see `SearchIndex.nearest`. */
  nearest(words: readonly SoughtWord[]): (string | undefined)[] {
    return words.map(({ word, column }) =>
      this.#words.has(word, column) ? undefined : this.#words.nearest(word, column),
    );
  }

  /** Reads the graph of the records. */
  readGraph(): GraphArrays {
    return readGraphArrays(this.#arrays, this.#docs);
  }

  close(): void {
    this.#database.close();
  }

  #rank(query: Query, wanted: Places): Ranking {
    return this.#rankings.get(JSON.stringify([query, wanted]), () =>
      this.#rooms.score((scores) => {
        this.#score(query, scores);
        return query.order
          ? sortInto(this.#arrays.words(orderName(query.order)), scores, wanted)
          : rank(scores, wanted);
      }),
    );
  }

  /** Scores all records. @param scores 0 for each of them */
  #score({ clauses: [first, ...others], excluded }: Query, scores: Scores): void {
    if (first) this.#scorer.score(first, scores);
    else scores.fill(FULL_SCORE);
    const each = (clause: Clause, combine: (scores: Scores, other: Scores) => void) =>
      this.#rooms.score((other) => {
        this.#scorer.score(clause, other);
        combine(scores, other);
      });
    for (const clause of others) each(clause, addScores);
    for (const clause of excluded) each(clause, removeScored);
  }
}
