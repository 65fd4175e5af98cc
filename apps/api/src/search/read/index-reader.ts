import { type Kind, LANGUAGES, type Language } from '@archiefkast/types/kinds';
import { byteLengthOf, Cache } from '../../cache.ts';
import { type CountedValue, FACETS, type FacetName } from '../fields/facets.ts';
import { fold } from '../fields/fold.ts';
import { NAMES, searchField } from '../fields/search-fields.ts';
import { FULL_SCORE } from '../file/column-matches.ts';
import type { DateField } from '../query/edit-query.ts';
import { ALL_RECORDS, type Query } from '../query/query.ts';
import { createClauseScorer } from './clause-scorer.ts';
import { createFacetCounter } from './facet-counter.ts';
import type { SoughtWord } from './near-words.ts';
import { treeOfPlaces } from './places.ts';
import { readIndex } from './read-index.ts';
import { GRAPH_ORDERS, type GraphData } from './record-graph.ts';
import { createRecordMatcher } from './record-matcher.ts';
import { addScores, type Ranking, rank, removeScored } from './scores.ts';
import { type SuggestedValues, suggest } from './suggest.ts';

export interface Hit {
  kind: Kind;
  position: number;
  /** Relevance: above 0, with four decimals; descending, unless the query has another order. */
  score: number;
}

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

/** Executes queries on an index file: see `createIndexReader`. */
export type IndexReader = ReturnType<typeof createIndexReader>;

/**
 * Opens an index file for queries, in the calling thread.
 *
 * @param cacheBytes size of the cache: four fifths for fields, a fifth for the hits of recent queries; the names that
 *   `warm` reads, and what is read of all records at once, are not included
 * @throws SearchIndexFormatError if the file is not an index of the current format
 */
export function createIndexReader(file: string, cacheBytes: number) {
  const index = readIndex(file, (cacheBytes * 4) / 5);
  const { records, tables, columns, words } = index;
  const scoreOf = createClauseScorer(index);
  const counter = createFacetCounter(index);
  const rankings = new Cache<Ranking>(cacheBytes / 5, byteLengthOf);

  function rankingOf(query: Query): Ranking {
    return rankings.get(JSON.stringify(query), () => {
      const [first, ...others] = query.clauses;
      const scores = first ? scoreOf(first) : new Uint32Array(records.total).fill(FULL_SCORE);
      for (const clause of others) addScores(scores, scoreOf(clause));
      for (const clause of query.excluded) removeScored(scores, scoreOf(clause));
      return rank(scores, query.order && tables.ordered(query.order));
    });
  }

  /** Counts the hits, and the most frequent values of each facet, at most `limit`; names of subjects are in `language`. */
  function facets(query: Query, of: readonly FacetName[], language: Language, limit: number): FacetResult {
    const { docs } = rankingOf(query);
    const areEvents = query.clauses.some((clause) => clause.type === 'kind' && clause.kind === 'event');
    const count = (facet: FacetName) => counter.count(docs, facet, { language, limit, areEvents });
    return { count: docs.length, facets: of.map((facet) => ({ facet, values: count(facet) })) };
  }

  return {
    facets,

    /** Memory used, in bytes. */
    get byteLength(): number {
      return [columns, tables, counter, rankings].reduce((sum, { byteLength }) => sum + byteLength, 0);
    },

    /**
     * Warms up: reads and pins the columns that every query with free words uses, and counts the facets of all records often
     * enough for V8 to compile that code, which makes it several times faster.
     */
    warm(): void {
      for (const { kinds, columns: names } of NAMES)
        for (const kind of kinds) for (const name of names) columns.pin(kind, name);
      for (let count = 0; count < WARM_COUNTS; count++)
        for (const language of LANGUAGES) facets(ALL_RECORDS, FACETS, language, 1);
    },

    /** The number of hits in each year of a date field. */
    years(query: Query, field: DateField): Map<number, number> {
      const kind = searchField(field)?.kinds[0] ?? 'event';
      return counter.countYears(rankingOf(query).docs, kind, field);
    },

    /** At most `limit` hits from `offset` (0 is the first), and the total number. */
    search(query: Query, offset: number, limit: number): SearchResult {
      const { docs, scores } = rankingOf(query);
      const hits = Array.from(docs.subarray(offset, offset + limit), (doc, at) => ({
        ...records.recordOf(doc),
        score: (scores[offset + at] ?? 0) / FULL_SCORE,
      }));
      return { count: docs.length, hits };
    },

    /**
     * Suggests values of a field: see `suggest`.
     *
     * @param prefix the input so far; `""` for any value
     */
    suggest: (values: SuggestedValues, prefix: string, limit: number) =>
      suggest(columns, values, fold(prefix), limit),

    /**
     * For each word that no record has, the most frequent word that differs in one letter; undefined for others.
     *
     * @param sought at most a few: each takes some milliseconds
     */
    nearest: (sought: readonly SoughtWord[]): (string | undefined)[] => sought.map(words.nearest),

    match: createRecordMatcher(index),

    /** Reads what the graph of the records needs of all of them. */
    readGraph: (): GraphData => ({
      counts: new Map(records.spans.map(({ kind, records: ofKind }) => [kind, ofKind])),
      slots: records.slots.slice(),
      orders: new Map(GRAPH_ORDERS.map((order) => [order, tables.ordered(order).slice()])),
      places: treeOfPlaces(tables.coordinates()),
      towns: tables.towns(),
    }),
  };
}
