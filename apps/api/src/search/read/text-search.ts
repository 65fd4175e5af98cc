import type { Arrays } from '../file/arrays.ts';
import { FULL_SCORE } from '../file/column-matches.ts';
import { LENGTHS, ROWIDS, TEXT_COLUMNS } from '../file/index-file.ts';
import type { Chunk, Postings, StartRecords } from '../file/postings.ts';
import { CHUNK_RECORDS, listStored, lowestBit, RecordSet } from '../file/record-set.ts';
import type { Clause } from '../query/query.ts';
import { IN_NAME, Phrase, PhraseReader, type Weights } from './phrase-reader.ts';
import type { Rooms, Scores } from './scores.ts';

/** The parameters of BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), 3.2. */
const K1 = 1.2;
const B = 0.75;

/** The least weight of a word: those in most records would have a negative one. */
const LEAST_WEIGHT = 1e-6;

/** Weights of columns are multiples of this, so that sums are integers. */
const WEIGHT_UNIT = 1 / 4;

/**
 * Maximum number of hits times phrases and alternatives whose relevance is computed. A word in more records says little about any of
 * them: see docs/decisions on search.
 */
const RELEVANCE_LIMIT = 40_000;

/** The score of records that match words too common for relevance. */
const COMMON_SCORE = FULL_SCORE / 4;

/** More hits than this part of all records are many. */
const MANY = 1 / 8;

/** The text columns of each field; by default, all of them. */
const FIELD_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  content: ['body', 'footnotes'],
  summary: ['summary'],
};

/** Searches for words and phrases. */
export class TextSearch {
  readonly #postings: Postings;
  readonly #reader: PhraseReader;
  readonly #rooms: Rooms;
  /** The records of a chunk. */
  readonly #records = new Uint16Array(CHUNK_RECORDS);
  /** The document number of each rowid: 0 for unused ones. */
  readonly #docOf: Uint32Array;
  /** Number of words of each document. */
  readonly #lengths: Uint32Array;
  readonly #averageLength: number;

  constructor(postings: Postings, arrays: Arrays, rooms: Rooms) {
    this.#postings = postings;
    this.#rooms = rooms;
    this.#reader = new PhraseReader(postings);
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
   * @param names receives the scores of names that are stored, and compares the others
   */
  score(
    clause: Extract<Clause, { phrases: string[] }>,
    alternatives: number,
    scores: Scores,
    names?: NameScores,
  ): void {
    const phrases = clause.phrases.map((phrase) => new Phrase(phrase));
    const weights = weightsOf(clause.type === 'words' ? clause.field : '');
    const { hits, records } = this.#find(phrases, weights);
    const most = Math.max(RELEVANCE_LIMIT, MANY * scores.length);
    this.#rooms.use((room) => {
      const found = this.#docsOf(hits, 'found', room);
      if (found.length > RELEVANCE_LIMIT / (phrases.length * alternatives)) {
        for (let hit = 0; hit < found.length; hit++) scores[found[hit] ?? 0] = COMMON_SCORE;
      } else {
        const weighed = this.#weigh(phrases, weights, hits, found.length);
        this.#scoreByRelevance(found, records, weighed, scores);
      }
      if (!names) return;
      const starts = this.#postings.starts(onlyStart(clause));
      this.#putStored(starts, names.scores);
      const others = hits.filter(({ chunk }) => !starts.has(chunk.number));
      this.#rooms.use((other) => {
        const named = this.#docsOf(others, 'named', other);
        names.compare(found.length > most ? undefined : ascending(found), ascending(named));
      });
    });
  }

  /** Finds the records that contain all phrases, and the number of those that contain each of them. */
  #find(phrases: readonly Phrase[], weights: Weights): { hits: Hits[]; records: number[] } {
    const hits = this.#postings.chunks.map(
      (chunk): Hits => ({ chunk, found: new RecordSet(), named: new RecordSet(), weighed: [] }),
    );
    // Each phrase in all chunks before the next one: the starts of words are read for all chunks at once.
    const records = phrases.map((phrase, at) => {
      let inRecords = 0;
      for (const hit of hits) {
        const { found, named } = at === 0 ? hit : { found: new RecordSet(), named: new RecordSet() };
        hit.weighed.push(this.#reader.find(hit.chunk, phrase, weights, found, named));
        inRecords += found.size;
        if (at === 0) continue;
        hit.found.keepAllIn(found);
        hit.named.keepAllIn(named);
      }
      return inRecords;
    });
    return { hits: hits.filter(({ found }) => found.size > 0), records };
  }

  /** How often each hit contains each phrase, weighed. @param count number of hits */
  #weigh(phrases: readonly Phrase[], weights: Weights, hits: readonly Hits[], count: number): Uint32Array[] {
    return phrases.map((phrase, number) => {
      const often = new Uint32Array(count);
      let hit = 0;
      for (const { chunk, found, weighed: known } of hits) {
        const weighed = known[number] ?? this.#reader.weigh(chunk, phrase, weights);
        const length = found.list(this.#records);
        for (let at = 0; at < length; at++) often[hit++] = (weighed[this.#records[at] ?? 0] ?? 0) & ~IN_NAME;
      }
      return often;
    });
  }

  /** Puts the scores of names that are stored with the starts of words. */
  #putStored(starts: ReadonlyMap<number, StartRecords>, scores: Scores): void {
    for (const { number, first } of this.#postings.chunks) {
      const start = starts.get(number);
      const length = start ? listStored(start.named, this.#records) : 0;
      for (let at = 0; at < length; at++)
        scores[this.#docOf[first + (this.#records[at] ?? 0)] ?? 0] = start?.scores[at] ?? 0;
    }
  }

  #scoreByRelevance(
    docs: Uint32Array,
    records: readonly number[],
    weighed: readonly Uint32Array[],
    scores: Scores,
  ): void {
    const total = this.#lengths.length;
    const relevances = new Float64Array(docs.length);
    for (const [phrase, often] of weighed.entries()) {
      const inRecords = records[phrase] ?? 0;
      const weight = Math.max(Math.log((total - inRecords + 0.5) / (inRecords + 0.5)), LEAST_WEIGHT);
      for (let hit = 0; hit < docs.length; hit++) {
        const length = this.#lengths[docs[hit] ?? 0] ?? 0;
        const times = (often[hit] ?? 0) * WEIGHT_UNIT;
        const share = (times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / this.#averageLength));
        relevances[hit] = (relevances[hit] ?? 0) + weight * share;
      }
    }
    const best = relevances.reduce((most, relevance) => Math.max(most, relevance), 0);
    for (let hit = 0; hit < docs.length; hit++) {
      const score = Math.round(((relevances[hit] ?? 0) / best) * FULL_SCORE);
      scores[docs[hit] ?? 0] = Math.max(1, score);
    }
  }

  /** The document numbers of the records of some hits, in order of chunk and record, in the beginning of `docs`. */
  #docsOf(hits: readonly Hits[], which: 'found' | 'named', docs: Uint32Array): Uint32Array {
    const docOf = this.#docOf;
    let length = 0;
    for (const { chunk, [which]: set } of hits) {
      const { bits } = set;
      for (let at = 0, record = chunk.first; at < bits.length; at++, record += 32) {
        for (let word = bits[at] ?? 0; word !== 0; word &= word - 1)
          docs[length++] = docOf[record + lowestBit(word)] ?? 0;
      }
    }
    return docs.subarray(0, length);
  }
}

/** The scores of the names of hits. */
export interface NameScores {
  /** 0 for each record, by document number. */
  scores: Scores;
  /**
   * Compares the names of the other hits.
   *
   * @param docs the document numbers of all hits, ascending; absent if there are many
   * @param named those of the others that contain all phrases in their name, ascending
   */
  compare(docs: Uint32Array | undefined, named: Uint32Array): void;
}

/** The records of a chunk that contain all phrases, and those that contain all of them in their name. */
interface Hits {
  chunk: Chunk;
  found: RecordSet;
  named: RecordSet;
  /** For each phrase its weight in each record, if it is known. */
  weighed: (Uint32Array | undefined)[];
}

/** The letters of a clause that is only the start of a word; none for others. */
function onlyStart(clause: Clause): string {
  const isOnly =
    clause.type === 'text' && clause.phrases.length === 1 && clause.phrases[0] === `${clause.typed}*`;
  return isOnly ? clause.typed : '';
}

/** Sorts numbers, unless they are in order, as they are in an index that was not patched. */
function ascending(numbers: Uint32Array): Uint32Array {
  for (let at = 1; at < numbers.length; at++)
    if ((numbers[at] ?? 0) < (numbers[at - 1] ?? 0)) return numbers.sort();
  return numbers;
}

/** The weights of the columns of a field, in units; 0 for those of other fields. */
function weightsOf(field: string): Weights {
  const columns = FIELD_COLUMNS[field];
  return Uint32Array.from(TEXT_COLUMNS, ({ name, weight }) =>
    columns === undefined || columns.includes(name) ? weight / WEIGHT_UNIT : 0,
  );
}
