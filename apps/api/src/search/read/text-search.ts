import { WORD } from '../fields/fold.ts';
import type { Arrays } from '../file/arrays.ts';
import { LENGTHS, ROWIDS, TEXT_COLUMNS } from '../file/index-file.ts';
import { type PlacedPosting, PlaceList, PostingCursor, type Postings } from '../file/postings.ts';
import type { Clause } from '../query/query.ts';
import { FULL_SCORE, hitsIn, type Scores } from './scores.ts';

/** The parameters of BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), 3.2. */
const K1 = 1.2;
const B = 0.75;

/** The least weight of a word: those in most records would have a negative one. */
const LEAST_WEIGHT = 1e-6;

/** Weights of columns are multiples of this, so that sums are integers. */
const WEIGHT_UNIT = 1 / 4;

/** The column of names. */
const NAME = TEXT_COLUMNS.findIndex(({ name }) => name === 'name');

/** Added to the weights of a word in a record if it is in the name: more than they come to. */
const IN_NAME = 2 ** 30;

/**
 * Maximum number of hits times phrases and alternatives whose relevance is computed. A word in more records says little about any of
 * them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The score of records that match words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** The text columns of each field; by default, all of them. */
const FIELD_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  content: ['body', 'footnotes'],
  summary: ['summary'],
};

/** Searches for words and phrases. */
export class TextSearch {
  readonly #postings: Postings;
  /** The document number of each rowid: 0 for unused ones. */
  readonly #docOf: Uint32Array;
  /** Number of words of each document. */
  readonly #lengths: Uint32Array;
  readonly #averageLength: number;

  constructor(postings: Postings, arrays: Arrays) {
    this.#postings = postings;
    const rowids = arrays.words(ROWIDS);
    const highest = rowids.reduce((most, rowid) => Math.max(most, rowid), 0);
    this.#docOf = new Uint32Array(highest + 1);
    for (const [doc, rowid] of rowids.entries()) this.#docOf[rowid] = doc;
    this.#lengths = arrays.words(LENGTHS);
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / this.#lengths.length;
  }

  /**
   * Scores the records that contain all phrases; the best match gets the full score.
   *
   * @param alternatives number of alternatives that the clause is one of
   * @returns the document numbers of those that contain all phrases in their name, ascending
   */
  score(clause: Extract<Clause, { phrases: string[] }>, alternatives: number, scores: Scores): Uint32Array {
    const { phrases } = clause;
    const hits = this.#find(phrases, weightsOf(clause.type === 'words' ? clause.field : ''));
    if (hits.rowids.length <= RELEVANCE_LIMIT / (phrases.length * alternatives)) {
      this.#scoreByRelevance(hits, scores);
    } else {
      for (const doc of pick(this.#docOf, hits.rowids)) scores[doc] = COMMON_SCORE;
    }
    return pick(this.#docOf, rowidsOfNames(hits)).sort();
  }

  /** Finds the records that contain all phrases. */
  #find(phrases: readonly string[], weights: Uint32Array): Hits {
    const weighed = new Uint32Array(this.#docOf.length);
    let hits: Hits | undefined;
    for (const phrase of phrases) {
      if (hits?.rowids.length === 0) break;
      if (hits) weighed.fill(0);
      this.#weigh(phrase, weights, weighed);
      const rowids = hitsIn(weighed);
      const narrowed: Hits = hits ? narrow(hits, weighed) : { rowids, phrases: [] };
      const found = { records: rowids.length, weighed: pick(weighed, narrowed.rowids) };
      hits = { ...narrowed, phrases: [...narrowed.phrases, found] };
    }
    return hits ?? { rowids: new Uint32Array(0), phrases: [] };
  }

  /** Adds up the weights of a phrase in each record, by rowid. */
  #weigh(phrase: string, weights: Uint32Array, weighed: Uint32Array): void {
    const isStart = phrase.endsWith('*');
    const words = phrase.match(WORD) ?? [];
    const last = words.at(-1) ?? '';
    if (words.length > 1) {
      const ends = isStart ? this.#postings.placedStarting(last) : this.#postings.placedOf(last);
      this.#weighPhrase(words.slice(0, -1), ends, weights, weighed);
      return;
    }
    const inName = nameFlag(weights);
    for (const { first, records } of isStart ? this.#postings.starting(last) : this.#postings.of(last)) {
      const cursor = new PostingCursor(records);
      while (cursor.next()) {
        const rowid = first + cursor.record;
        const weight = (weighed[rowid] ?? 0) + cursor.weigh(weights);
        weighed[rowid] = cursor.countIn(NAME) > 0 ? weight | inName : weight;
      }
    }
  }

  /**
   * Adds up the weights of consecutive words.
   *
   * @param ends the postings of the last word, or of all words that it may be
   */
  #weighPhrase(
    before: readonly string[],
    ends: Iterable<PlacedPosting>,
    weights: Uint32Array,
    weighed: Uint32Array,
  ): void {
    const [head = [], ...others] = before.map((word) => this.#postings.placedOf(word));
    const next = others.map((postings) => new Map(postings.map((posting) => [posting.first, posting])));
    const ending = Map.groupBy(ends, ({ first }) => first);
    let [phrase, word, longer] = [new PlaceList(), new PlaceList(), new PlaceList()];
    for (const posting of head) {
      const { first } = posting;
      phrase.read(posting);
      for (const postings of next) {
        const following = postings.get(first);
        if (following) longer.follow(phrase, word.read(following));
        [phrase, longer] = [longer, phrase];
        if (!following) phrase.length = 0;
      }
      for (const end of ending.get(first) ?? [])
        addWeights(longer.follow(phrase, word.read(end)), weights, weighed.subarray(first));
    }
  }

  #scoreByRelevance({ rowids, phrases }: Hits, scores: Scores): void {
    const total = this.#lengths.length;
    const relevances = new Float64Array(rowids.length);
    for (const { records, weighed } of phrases) {
      const weight = Math.max(Math.log((total - records + 0.5) / (records + 0.5)), LEAST_WEIGHT);
      for (let hit = 0; hit < rowids.length; hit++) {
        const length = this.#lengths[this.#docOf[rowids[hit] ?? 0] ?? 0] ?? 0;
        const often = ((weighed[hit] ?? 0) & ~IN_NAME) * WEIGHT_UNIT;
        const share = (often * (K1 + 1)) / (often + K1 * (1 - B + (B * length) / this.#averageLength));
        relevances[hit] = (relevances[hit] ?? 0) + weight * share;
      }
    }
    const best = relevances.reduce((most, relevance) => Math.max(most, relevance), 0);
    for (let hit = 0; hit < rowids.length; hit++) {
      const score = Math.round(((relevances[hit] ?? 0) / best) * FULL_SCORE);
      scores[this.#docOf[rowids[hit] ?? 0] ?? 0] = Math.max(1, score);
    }
  }
}

/** The records that contain all phrases. */
interface Hits {
  rowids: Uint32Array;
  phrases: FoundPhrase[];
}

/** A phrase of a query. */
interface FoundPhrase {
  /** Number of records that contain it. */
  records: number;
  /** How often each hit contains it, weighed; with `IN_NAME`. */
  weighed: Uint32Array;
}

/** The hits that also have a weight in another phrase. */
function narrow({ rowids, phrases }: Hits, weighed: Uint32Array): Hits {
  const kept = hitsIn(pick(weighed, rowids));
  return {
    rowids: pick(rowids, kept),
    phrases: phrases.map((phrase) => ({ ...phrase, weighed: pick(phrase.weighed, kept) })),
  };
}

/** The rowids of the hits that contain all phrases in their name. */
function rowidsOfNames({ rowids, phrases }: Hits): Uint32Array {
  const named: number[] = [];
  for (let hit = 0; hit < rowids.length; hit++) {
    let isNamed = true;
    for (const { weighed } of phrases) isNamed &&= (weighed[hit] ?? 0) >= IN_NAME;
    if (isNamed) named.push(rowids[hit] ?? 0);
  }
  return Uint32Array.from(named);
}

/** The numbers at some indexes. */
function pick(numbers: Uint32Array, indexes: Uint32Array): Uint32Array {
  const picked = new Uint32Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) picked[at] = numbers[indexes[at] ?? 0] ?? 0;
  return picked;
}

/** The weights of the columns of a field, in units; 0 for those of other fields. */
function weightsOf(field: string): Uint32Array {
  const columns = FIELD_COLUMNS[field];
  return Uint32Array.from(TEXT_COLUMNS, ({ name, weight }) =>
    columns === undefined || columns.includes(name) ? weight / WEIGHT_UNIT : 0,
  );
}

/** What is added for a word in the name: nothing if that is not searched. */
function nameFlag(weights: Uint32Array): number {
  return weights[NAME] ? IN_NAME : 0;
}

/** Adds the weights of places to those of their records. */
function addWeights(
  { length, records, ends, columns }: PlaceList,
  weights: Uint32Array,
  weighed: Uint32Array,
): void {
  const inName = nameFlag(weights);
  let at = 0;
  for (let index = 0; index < length; index++) {
    const record = records[index] ?? 0;
    let weight = weighed[record] ?? 0;
    for (const end = ends[index] ?? 0; at < end; at++) {
      weight += weights[columns[at] ?? 0] ?? 0;
      if (columns[at] === NAME) weight |= inName;
    }
    weighed[record] = weight;
  }
}
