import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TEXT_COLUMNS } from './index-file.ts';

const COLUMNS = TEXT_COLUMNS.length;

/** Where a word occurs in the records of a chunk. */
export interface Posting {
  /** The rowid of the first record of the chunk. */
  first: number;
  /** The records that have the word, as `PostingCursor` reads them. */
  records: Uint8Array;
}

/** A posting with the places. */
export interface PlacedPosting extends Posting {
  /** Number of records. */
  count: number;
  /** The places in each record, as `PlaceList` reads them. */
  places: Uint8Array;
}

/** Reads the rows of some words in each chunk in turn. */
const SELECT = 'FROM chunk CROSS JOIN posting ON posting.chunk = chunk.number WHERE word';
const POSTING = 'first, records';
const PLACED = `${POSTING}, places, count`;

/** Sorts after all letters. */
const LAST = '\u{10ffff}';

/** The postings of an index file. */
export class Postings {
  readonly #any: StatementSync;
  readonly #count: StatementSync;
  readonly #ofWord: StatementSync;
  readonly #ofStart: StatementSync;
  readonly #placedOfWord: StatementSync;
  readonly #placedOfStart: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (columns: string, condition: string) =>
      database.prepare(`SELECT ${columns} ${SELECT} ${condition}`);
    const isStart = '>= ? AND word < ?';
    this.#any = prepare('1', '= ? LIMIT 1');
    this.#count = prepare('total(count) AS records', '= ?');
    this.#ofWord = prepare(POSTING, '= ?');
    this.#ofStart = prepare(POSTING, isStart);
    this.#placedOfWord = prepare(PLACED, '= ?');
    this.#placedOfStart = prepare(PLACED, isStart);
    for (const each of [this.#ofWord, this.#ofStart, this.#placedOfWord, this.#placedOfStart])
      each.setReturnArrays(true);
  }

  /** Whether a record has the word. */
  has(word: string): boolean {
    return this.#any.get(word) !== undefined;
  }

  /** Number of records that have the word. */
  count(word: string): number {
    return Number(this.#count.get(word)?.['records']);
  }

  /** The postings of a word, by chunk. */
  of(word: string): Posting[] {
    return this.#ofWord.all(word).map(postingOf);
  }

  /** The postings of a word with the places, by chunk. */
  placedOf(word: string): PlacedPosting[] {
    return this.#placedOfWord.all(word).map(placedOf);
  }

  /** The postings of all words with a start, by chunk. */
  starting(start: string): IteratorObject<Posting> {
    return this.#ofStart.iterate(start, start + LAST).map(postingOf);
  }

  /** The postings of all words with a start, with the places, by chunk. */
  placedStarting(start: string): IteratorObject<PlacedPosting> {
    return this.#placedOfStart.iterate(start, start + LAST).map(placedOf);
  }
}

function postingOf(row: Record<number, unknown>): Posting {
  return { first: Number(row[0]), records: bytesOf(row[1]) };
}

function placedOf(row: Record<number, unknown>): PlacedPosting {
  return { ...postingOf(row), places: bytesOf(row[2]), count: Number(row[3]) };
}

function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

/**
 * Reads the records of a posting, in order. The numbers are varints: 7 bits in each byte, the lowest first; the eighth
 * says that another byte follows.
 *
 * - A record is its number in the chunk, less that of the record before (-1 at first), and how often it has the word: twice the
 *   count if all are in the first column; otherwise twice a mask of the columns, plus 1, and the count in each of these.
 * - The places of a record are the numbers of the word, less that of the place before (0 at first): the words of all
 *   columns are numbered from 0, with a number left out after each column.
 */
export class PostingCursor {
  /** The number of the record in the chunk. */
  record = -1;
  /** How often the record has the word, in all columns. */
  count = 0;
  /** How often the record has the word, for the columns in `#mask`. */
  readonly #counts = new Uint32Array(COLUMNS);
  #mask = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  /** @param records of the posting */
  constructor(records: Uint8Array) {
    this.#bytes = records;
  }

  /** Reads the next record. @returns false at the end */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    this.record += this.#read();
    const code = this.#read();
    if ((code & 1) === 0) {
      this.#mask = 1;
      this.count = code >> 1;
      this.#counts[0] = this.count;
      return true;
    }
    this.#mask = code >> 1;
    this.count = 0;
    for (let column = 0; column < COLUMNS; column++) {
      if (((this.#mask >> column) & 1) === 0) continue;
      const count = this.#read();
      this.#counts[column] = count;
      this.count += count;
    }
    return true;
  }

  /** Whether the record has the word in the first column alone, as most have. */
  get isInFirstOnly(): boolean {
    return this.#mask === 1;
  }

  /** How often the record has the word in a column. */
  countIn(column: number): number {
    return ((this.#mask >> column) & 1) === 0 ? 0 : (this.#counts[column] ?? 0);
  }

  /** Writes the column of each place of the record into a list. */
  fillColumns(into: Uint8Array, start: number): void {
    let at = start;
    for (let column = 0; column < COLUMNS; column++) {
      for (let left = this.countIn(column); left > 0; left--) into[at++] = column;
    }
  }

  /** How often the record has the word, with a weight for each column. */
  weigh(weights: Uint32Array): number {
    if (this.isInFirstOnly) return this.count * (weights[0] ?? 0);
    let weighed = 0;
    for (let column = 0; column < COLUMNS; column++) weighed += this.countIn(column) * (weights[column] ?? 0);
    return weighed;
  }

  #read(): number {
    let byte = this.#bytes[this.#at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}

/** The places of a word or phrase in the records of a chunk. A list can be filled again, which is faster than another one. */
export class PlaceList {
  /** Number of records. */
  length = 0;
  /** The numbers of the records in the chunk, ascending. */
  records = new Uint32Array(0);
  /** For each record, the index in `places` at which its places end: they begin where those of the record before end. */
  ends = new Uint32Array(0);
  /** The number of the last word at each place, ascending within a record. */
  places = new Uint32Array(0);
  /** The text column of each place. */
  columns = new Uint8Array(0);

  /** Reads the places of a word. */
  read({ count, records, places: bytes }: PlacedPosting): this {
    this.#begin(count, bytes.length);
    const { places, columns } = this;
    columns.fill(0, 0, bytes.length);
    const cursor = new PostingCursor(records);
    let [found, at] = [0, 0];
    for (; cursor.next(); this.length++) {
      const start = found;
      const end = start + cursor.count;
      for (let place = 0; found < end; found++) {
        let byte = bytes[at++] ?? 0;
        let value = byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[at++] ?? 0;
          value |= (byte & 0x7f) << shift;
        }
        place += value;
        places[found] = place;
      }
      if (!cursor.isInFirstOnly) cursor.fillColumns(columns, start);
      this.records[this.length] = cursor.record;
      this.ends[this.length] = found;
    }
    return this;
  }

  /** Finds the places at which a word follows a phrase in the same column. */
  follow(phrase: PlaceList, word: PlaceList): this {
    this.#begin(
      Math.min(phrase.length, word.length),
      phrase.length === 0 ? 0 : (phrase.ends[phrase.length - 1] ?? 0),
    );
    const [before, after] = [phrase.places, word.places];
    let [found, index, other] = [0, 0, 0];
    while (index < phrase.length && other < word.length) {
      const record = phrase.records[index] ?? 0;
      const otherRecord = word.records[other] ?? 0;
      if (record === otherRecord) {
        const start = found;
        let at = index === 0 ? 0 : (phrase.ends[index - 1] ?? 0);
        let next = other === 0 ? 0 : (word.ends[other - 1] ?? 0);
        const [end, last] = [phrase.ends[index] ?? 0, word.ends[other] ?? 0];
        while (at < end && next < last) {
          const difference = (after[next] ?? 0) - (before[at] ?? 0);
          if (difference === 1) {
            this.places[found] = after[next] ?? 0;
            this.columns[found] = word.columns[next] ?? 0;
            found += 1;
          }
          if (difference <= 1) next += 1;
          if (difference >= 1) at += 1;
        }
        if (found > start) {
          this.records[this.length] = record;
          this.ends[this.length] = found;
          this.length += 1;
        }
      }
      if (record <= otherRecord) index += 1;
      if (record >= otherRecord) other += 1;
    }
    return this;
  }

  /** Empties the list and makes room. */
  #begin(records: number, places: number): void {
    this.length = 0;
    if (this.records.length < records) {
      this.records = new Uint32Array(2 * records);
      this.ends = new Uint32Array(2 * records);
    }
    if (this.places.length < places) {
      this.places = new Uint32Array(2 * places);
      this.columns = new Uint8Array(2 * places);
    }
  }
}

/** Writes a posting, to be read by `PostingCursor`. */
export class PostingEncoder {
  #records = new Uint8Array(1024);
  #places = new Uint8Array(1024);
  #recordsLength = 0;
  #placesLength = 0;
  #before = -1;
  readonly #counts = new Uint32Array(COLUMNS);
  /** Number of records written. */
  count = 0;

  /** Starts another posting. */
  clear(): void {
    this.#recordsLength = 0;
    this.#placesLength = 0;
    this.#before = -1;
    this.count = 0;
  }

  /**
   * Writes the next record.
   *
   * @param record its number in the chunk
   * @param places the places of the word, ascending: those from `start` to `end`
   * @param columns the column of each place
   */
  write(record: number, places: Uint32Array, columns: Uint8Array, start: number, end: number): void {
    const count = end - start;
    const counts = this.#counts.fill(0);
    let mask = 0;
    for (let at = start; at < end; at++) {
      const column = columns[at] ?? 0;
      counts[column] = (counts[column] ?? 0) + 1;
      mask |= 1 << column;
    }
    if (this.#recordsLength + 64 > this.#records.length) this.#records = larger(this.#records, 64);
    this.#writeRecords(record - this.#before);
    this.#before = record;
    this.#writeRecords(mask === 1 ? count << 1 : (mask << 1) | 1);
    if (mask !== 1) {
      for (let column = 0; column < COLUMNS; column++) {
        const inColumn = counts[column] ?? 0;
        if (inColumn > 0) this.#writeRecords(inColumn);
      }
    }
    if (this.#placesLength + 5 * count > this.#places.length) this.#places = larger(this.#places, 5 * count);
    let before = 0;
    for (let at = start; at < end; at++) {
      const place = places[at] ?? 0;
      this.#placesLength = writeVarint(this.#places, this.#placesLength, place - before);
      before = place;
    }
    this.count += 1;
  }

  /** What was written, until `clear`. */
  get posting(): Omit<PlacedPosting, 'first'> {
    return {
      count: this.count,
      records: this.#records.subarray(0, this.#recordsLength),
      places: this.#places.subarray(0, this.#placesLength),
    };
  }

  #writeRecords(value: number): void {
    this.#recordsLength = writeVarint(this.#records, this.#recordsLength, value);
  }
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let [end, rest] = [at, value];
  while (rest >= 0x80) {
    bytes[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

function larger(bytes: Uint8Array, more: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(2 * bytes.length + more);
  copy.set(bytes);
  return copy;
}
