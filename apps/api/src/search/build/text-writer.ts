import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { eachWord } from '../fields/word-bytes.ts';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import { type PlacedPosting, PostingEncoder } from '../file/postings.ts';
import type { Pause } from './pause.ts';
import { APART, cardOf, type IndexedRecord, recordText } from './record-values.ts';
import { WordNumbers } from './word-numbers.ts';

const COLUMNS = TEXT_COLUMNS.length;
const UTF8 = new TextEncoder();

/** The number of `APART`, which nobody can type; also at the end of a column. */
const NO_WORD = 0;

/** Limits of a chunk: more words take more memory, fewer chunks are faster to search. */
const MOST_RECORDS = 2 ** 15;
const MOST_PLACES = 2 ** 21;

/** Number of words written between two pauses. */
const WRITTEN = 1_000;

/** Writes the cards and the words of records, in order of rowid. */
export class TextWriter {
  readonly #insertCard: StatementSync;
  readonly #insertChunk: StatementSync;
  readonly #insertPosting: StatementSync;
  readonly #chunk: Chunk = new Chunk();
  #number: number;
  #first = 0;

  /** @param database where all other rowids are lower */
  constructor(database: DatabaseSync) {
    this.#insertCard = database.prepare('INSERT INTO card (rowid, fields) VALUES (?, ?)');
    this.#insertChunk = database.prepare('INSERT INTO chunk (number, first) VALUES (?, ?)');
    this.#insertPosting = database.prepare(
      'INSERT INTO posting (chunk, word, count, records, places) VALUES (?, ?, ?, ?, ?)',
    );
    this.#number = Number(database.prepare('SELECT count(*) AS chunks FROM chunk').get()?.['chunks']);
  }

  /** Writes a record. @returns the number of its words */
  async write(rowid: number, { kind, record, dates }: IndexedRecord, pause: Pause): Promise<number> {
    this.#insertCard.run(rowid, cardOf(kind, { ...record, ...dates }));
    if (this.#chunk.isFull) await this.flush(pause);
    if (this.#chunk.length === 0) this.#first = rowid;
    const text = recordText(kind, record);
    return this.#chunk.add(TEXT_COLUMNS.map(({ name }) => text[name]));
  }

  /** Writes the buffered records. */
  async flush(pause: Pause): Promise<void> {
    if (this.#chunk.length === 0) return;
    this.#insertChunk.run(this.#number, this.#first);
    let written = 0;
    for (const { word, count, records, places } of this.#chunk.postings()) {
      this.#insertPosting.run(this.#number, word, count, records, places);
      written += 1;
      if (written % WRITTEN === 0) await pause();
    }
    this.#chunk.clear();
    this.#number += 1;
  }
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
  readonly #bounds = new Uint32Array(MOST_RECORDS * (COLUMNS + 1));
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
    return this.#records === MOST_RECORDS || this.#length >= MOST_PLACES;
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

  /** The postings of all words, in order of word; each until the next. */
  *postings(): Generator<Omit<PlacedPosting, 'first'> & { word: string }> {
    const { starts, sorted } = this.#sort();
    const encoder = new PostingEncoder();
    for (const number of this.#words.sorted()) {
      if (number === NO_WORD) continue;
      encoder.clear();
      this.#encode(sorted, starts[number] ?? 0, starts[number + 1] ?? 0, encoder);
      yield { word: this.#words.wordOf(number), ...encoder.posting };
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

  /** The places sorted by word, and where those of each word start: a counting sort. */
  #sort(): { starts: Uint32Array; sorted: Uint32Array } {
    const starts = new Uint32Array(this.#words.length + 1);
    for (let place = 0; place < this.#length; place++) {
      const next = (this.#places[place] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let word = 1; word < starts.length; word++)
      starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
    const ends = starts.slice();
    const sorted = new Uint32Array(this.#length);
    for (let place = 0; place < this.#length; place++) {
      const word = this.#places[place] ?? 0;
      const end = ends[word] ?? 0;
      sorted[end] = place;
      ends[word] = end + 1;
    }
    return { starts, sorted };
  }

  /** Encodes the places of a word, which are in `found` from `start` to `end`, and replaces them by those in the record. */
  #encode(found: Uint32Array, start: number, end: number, encoder: PostingEncoder): void {
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
    }
    this.#places[this.#length] = word;
    this.#recordOf[this.#length] = this.#records;
    this.#length += 1;
  }
}
