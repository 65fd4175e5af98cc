import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { freeArray } from '../../number-list.ts';
import type { Pause } from '../../pause.ts';
import { eachWord } from '../fields/word-bytes.ts';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import { PostingEncoder } from '../file/posting-encoder.ts';
import { pairOf } from '../file/postings.ts';
import { CHUNK_RECORDS } from '../file/record-set.ts';
import { APART, cardOf, type IndexedRecord, recordText } from './record-values.ts';
import { StartWriter } from './start-writer.ts';
import { WordNumbers } from './word-numbers.ts';

const COLUMNS = TEXT_COLUMNS.length;
const UTF8 = new TextEncoder();

/** The number of `APART`, which nobody can type; also at the end of a column. */
const NO_WORD = 0;

/** The number of no pair of common words. */
const NO_PAIR = 0;

/**
 * Maximum number of words in a chunk, without those of its last record: more take more memory, fewer chunks are faster to search.
 * With those of nearly every record, they are below 2 ** 21, beyond which the memory doubles.
 */
const MOST_PLACES = 2_000_000;

/**
 * A word is common if it is at least this part of the words of a chunk that is full: with many chunks, reading its places would take
 * longer than all else. Other chunks are the last ones, and have no pairs, which would slow down small archives and patches.
 */
const COMMON = 2 ** -10;

/** Number of words written between two pauses. */
const WRITTEN = 1_000;

/** Writes the cards and the words of records, in order of rowid. */
export class TextWriter {
  readonly #insertCard: StatementSync;
  readonly #insertChunk: StatementSync;
  readonly #insertPosting: StatementSync;
  readonly #insertCommon: StatementSync;
  readonly #starts: StartWriter;
  readonly #chunk: Chunk = new Chunk();
  #number: number;
  #first = 0;

  /** @param database where all other rowids are lower */
  constructor(database: DatabaseSync) {
    this.#insertCard = database.prepare('INSERT INTO card (rowid, fields) VALUES (?, ?)');
    this.#insertChunk = database.prepare('INSERT INTO chunk (number, first) VALUES (?, ?)');
    this.#insertPosting = database.prepare(
      'INSERT INTO posting (chunk, word, count, records, named, counts, places) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertCommon = database.prepare('INSERT INTO common (chunk, word) VALUES (?, ?)');
    this.#starts = new StartWriter(database);
    this.#number = Number(database.prepare('SELECT count(*) AS chunks FROM chunk').get()?.['chunks']);
  }

  /** Writes a record. @returns the number of its words */
  async write(rowid: number, { kind, record, dates }: IndexedRecord, pause: Pause): Promise<number> {
    this.#insertCard.run(rowid, cardOf(kind, { ...record, ...dates }));
    if (this.#chunk.isFull) await this.flush(pause);
    if (this.#chunk.length === 0) this.#first = rowid;
    this.#starts.addNames(kind, record);
    const text = recordText(kind, record);
    return this.#chunk.add(TEXT_COLUMNS.map(({ name }) => text[name]));
  }

  /** Writes the buffered records. */
  async flush(pause: Pause): Promise<void> {
    if (this.#chunk.length === 0) return;
    this.#insertChunk.run(this.#number, this.#first);
    const { isFull } = this.#chunk;
    const { common, postings } = this.#chunk.encode();
    for (const word of common) this.#insertCommon.run(this.#number, word);
    this.#starts.begin(this.#number);
    let written = 0;
    for (const { word, isPair, encoder } of postings) {
      const { count, records, named, counts, places } = encoder.posting;
      this.#insertPosting.run(this.#number, word, count, records, named, counts, places);
      if (isFull && !isPair) this.#starts.add(word, records, named);
      written += 1;
      if (written % WRITTEN === 0) await pause();
    }
    this.#starts.flush();
    this.#chunk.clear();
    this.#number += 1;
  }
}

/** A word or a pair of words, and the encoder with its posting. */
interface EncodedWord {
  word: string;
  isPair: boolean;
  encoder: PostingEncoder;
}

/** The words of the records of a chunk, in memory. */
class Chunk {
  readonly #words = new WordNumbers();
  /** The words of all records and columns by number: `NO_WORD` at the end of a column. */
  #places = new Uint32Array(2 ** 16);
  #length = 0;
  /** The record of each place. */
  #recordOf = new Uint16Array(2 ** 16);
  /** For each record where its places begin, then where each column ends. */
  readonly #bounds = new Uint32Array(CHUNK_RECORDS * (COLUMNS + 1));
  #records = 0;
  /** The text of a column, in UTF-8. */
  #text = new Uint8Array(2 ** 16);
  /** The column of each place of the word that is encoded. */
  #columns = new Uint8Array(2 ** 16);

  constructor() {
    this.clear();
  }

  /** Number of records. */
  get length(): number {
    return this.#records;
  }

  get isFull(): boolean {
    return this.#records === CHUNK_RECORDS || this.#length >= MOST_PLACES;
  }

  /** Adds the texts of a record, by column. @returns the number of its words */
  add(texts: readonly string[]): number {
    let bound = this.#records * (COLUMNS + 1);
    let words = 0;
    this.#bounds[bound++] = this.#length;
    for (const text of texts) {
      if (text !== '') {
        words += this.#addText(text);
        this.#push(NO_WORD);
      }
      this.#bounds[bound++] = this.#length;
    }
    this.#records += 1;
    return words;
  }

  clear(): void {
    this.#words.clear();
    this.#addText(APART);
    this.#length = 0;
    this.#records = 0;
  }

  /**
   * The common words, and the postings of all pairs of them and of all words, both in order of word; the encoder has the next posting
   * after that.
   */
  encode(): { common: string[]; postings: Generator<EncodedWord> } {
    const sizes = new Uint32Array(this.#words.length);
    for (let place = 0; place < this.#length; place++) {
      const word = this.#places[place] ?? 0;
      sizes[word] = (sizes[word] ?? 0) + 1;
    }
    const words = this.#words.sorted().filter((number) => number !== NO_WORD);
    const often = this.isFull ? COMMON * this.#length : Number.POSITIVE_INFINITY;
    const common = words.filter((number) => (sizes[number] ?? 0) >= often);
    return {
      common: Array.from(common, (number) => this.#words.wordOf(number)),
      postings: this.#postings(common, words),
    };
  }

  *#postings(common: Uint32Array, words: Uint32Array): Generator<EncodedWord> {
    const encoder = new PostingEncoder();
    if (common.length > 0) yield* this.#pairPostings(common, encoder);
    const wordAt = (place: number) => this.#places[place] ?? 0;
    using groups = new PlaceGroups(this.#length, wordAt, this.#words.length);
    for (const number of words) {
      this.#encode(groups, number, encoder);
      yield { word: this.#words.wordOf(number), isPair: false, encoder };
    }
  }

  *#pairPostings(common: Uint32Array, encoder: PostingEncoder): Generator<EncodedWord> {
    const ranks = new Uint32Array(this.#words.length);
    for (const [rank, word] of common.entries()) ranks[word] = rank + 1;
    const rankAt = (place: number) => ranks[this.#places[place] ?? 0] ?? 0;
    // The number of the pair of common words that ends at a place, from 1 in their order; or `NO_PAIR`.
    const pairAt = (place: number) => {
      const rank = rankAt(place);
      const before = rank > 0 && place > 0 ? rankAt(place - 1) : 0;
      return before > 0 ? (before - 1) * common.length + rank : NO_PAIR;
    };
    using groups = new PlaceGroups(this.#length, pairAt, common.length ** 2 + 1);
    let pair = NO_PAIR;
    for (const first of common) {
      for (const second of common) {
        pair += 1;
        if (groups.sizeOf(pair) === 0) continue;
        this.#encode(groups, pair, encoder);
        const word = pairOf(this.#words.wordOf(first), this.#words.wordOf(second));
        yield { word, isPair: true, encoder };
      }
    }
  }

  #addText(text: string): number {
    if (this.#text.length < 3 * text.length) this.#text = new Uint8Array(6 * text.length);
    const { written } = UTF8.encodeInto(text, this.#text);
    const before = this.#length;
    eachWord(this.#text, written, (start, end, hash) =>
      this.#push(this.#words.numberOf(this.#text, start, end, hash)),
    );
    return this.#length - before;
  }

  /** Encodes the places of a group, and replaces them by those in the record. */
  #encode({ sorted: found, starts }: PlaceGroups, group: number, encoder: PostingEncoder): void {
    encoder.clear();
    const [start, end] = [starts[group] ?? 0, starts[group + 1] ?? 0];
    if (this.#columns.length < end) this.#columns = new Uint8Array(found.length);
    const columns = this.#columns;
    for (let at = start; at < end; ) {
      const from = at;
      const record = this.#recordOf[found[at] ?? 0] ?? 0;
      const bound = record * (COLUMNS + 1);
      const first = this.#bounds[bound] ?? 0;
      const last = this.#bounds[bound + COLUMNS] ?? 0;
      let column = 0;
      for (let place = found[at] ?? 0; place < last && at < end; place = found[at] ?? 0) {
        while (place >= (this.#bounds[bound + 1 + column] ?? 0)) column += 1;
        columns[at] = column;
        found[at] = place - first;
        at += 1;
      }
      encoder.write(record, found, columns, from, at);
    }
  }

  #push(word: number): void {
    if (this.#length === this.#places.length) {
      const [places, recordOf] = [this.#places, this.#recordOf];
      this.#places = new Uint32Array(2 * this.#length);
      this.#places.set(places);
      this.#recordOf = new Uint16Array(2 * this.#length);
      this.#recordOf.set(recordOf);
      freeArray(places);
      freeArray(recordOf);
    }
    this.#places[this.#length] = word;
    this.#recordOf[this.#length] = this.#records;
    this.#length += 1;
  }
}

/** Places by group, ascending in each, without those in group 0: a counting sort. */
class PlaceGroups implements Disposable {
  readonly sorted: Uint32Array<ArrayBuffer>;
  /** Where the places of each group start in `sorted`: those of the one before end there. */
  readonly starts: Uint32Array;

  /**
   * @param places number of places
   * @param groupOf the group of a place
   * @param groups number of groups
   */
  constructor(places: number, groupOf: (place: number) => number, groups: number) {
    this.starts = new Uint32Array(groups + 1);
    for (let place = 0; place < places; place++) {
      const group = groupOf(place);
      if (group > 0) this.starts[group + 1] = (this.starts[group + 1] ?? 0) + 1;
    }
    for (let group = 1; group <= groups; group++)
      this.starts[group] = (this.starts[group] ?? 0) + (this.starts[group - 1] ?? 0);
    const ends = this.starts.slice();
    this.sorted = new Uint32Array(this.starts[groups] ?? 0);
    for (let place = 0; place < places; place++) {
      const group = groupOf(place);
      if (group === 0) continue;
      const end = ends[group] ?? 0;
      this.sorted[end] = place;
      ends[group] = end + 1;
    }
  }

  [Symbol.dispose](): void {
    freeArray(this.sorted);
  }

  /** Number of places in a group. */
  sizeOf(group: number): number {
    return (this.starts[group + 1] ?? 0) - (this.starts[group] ?? 0);
  }
}
