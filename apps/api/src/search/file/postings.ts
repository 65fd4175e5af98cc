import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Some of the records of an index, which are numbered from 0. */
export interface Chunk {
  number: number;
  /** The rowid of the first record. */
  first: number;
  /** The words whose pairs have postings of their own. */
  common: ReadonlySet<string>;
}

/** Which records of a chunk have a word: stored sets, as `RecordSet` reads them. */
export interface WordRecords {
  records: Uint8Array;
  /** Those that have it in the column of names. */
  named: Uint8Array;
}

/** Which records of a chunk have words with a start. */
export interface StartRecords extends WordRecords {
  /** The scores of the names that have such a word, one for each record in `named`. */
  scores: Uint16Array;
}

/** How often the records of a chunk have a word, as `PostingCursor` reads it. */
export interface Posting {
  /** The records that have the word, as `RecordSet` reads them. */
  records: Uint8Array;
  counts: Uint8Array;
}

/** A posting with the places, as `PlaceList` reads it. */
export interface PlacedPosting extends Posting {
  places: Uint8Array;
}

/** The words from the first to the last. */
export interface WordRange {
  first: string;
  last: string;
}

/** Sorts after all letters. */
const LAST = '\u{10ffff}';

/** One word. */
export function onlyWord(word: string): WordRange {
  return { first: word, last: word };
}

/** All words with a start. */
export function wordsWith(start: string): WordRange {
  return { first: start, last: start + LAST };
}

/** The name of the posting of a pair of words, which sorts before all words. */
export function pairOf(word: string, next: string): string {
  return ` ${word} ${next}`;
}

/** The postings of an index file. */
export class Postings {
  readonly chunks: readonly Chunk[];
  readonly #any: StatementSync;
  readonly #count: StatementSync;
  readonly #starts: StatementSync;
  readonly #records: StatementSync;
  readonly #counts: StatementSync;
  readonly #places: StatementSync;
  #letters = '';
  /** The records with words that start with the letters, by chunk. */
  #withLetters = new Map<number, StartRecords>();

  constructor(database: DatabaseSync) {
    const common = database.prepare('SELECT word FROM common WHERE chunk = ?');
    this.chunks = database
      .prepare('SELECT number, first FROM chunk ORDER BY number')
      .all()
      .map(({ number = 0, first }) => ({
        number: Number(number),
        first: Number(first),
        common: new Set(common.all(number).map(({ word }) => String(word))),
      }));
    const inChunks = 'FROM chunk CROSS JOIN posting ON posting.chunk = chunk.number WHERE word = ?';
    this.#any = database.prepare(`SELECT 1 ${inChunks} LIMIT 1`);
    this.#count = database.prepare(`SELECT total(count) AS records ${inChunks}`);
    const prepare = (columns: string) =>
      database.prepare(`SELECT ${columns} FROM posting WHERE chunk = ? AND word BETWEEN ? AND ?`);
    this.#records = prepare('records, named');
    this.#counts = prepare('records, counts');
    this.#places = prepare('records, counts, places');
    this.#starts = database.prepare('SELECT chunk, records, named, scores FROM start WHERE letters = ?');
    for (const each of [this.#starts, this.#records, this.#counts, this.#places]) each.setReturnArrays(true);
  }

  /** Whether a record has the word. */
  has(word: string): boolean {
    return this.#any.get(word) !== undefined;
  }

  /** Number of records that have the word. */
  count(word: string): number {
    return Number(this.#count.get(word)?.['records']);
  }

  /** Which records of a chunk have the words of a range: for each of them, or together if that is stored. */
  found({ number }: Chunk, { first, last }: WordRange): WordRecords[] {
    const together = first === last ? undefined : this.starts(first).get(number);
    if (together) return [together];
    return this.#records
      .all(number, first, last)
      .map((row) => ({ records: bytesOf(row[0]), named: bytesOf(row[1]) }));
  }

  /** The records with words that start with some letters, by the number of the chunk, where they are stored together. */
  starts(letters: string): ReadonlyMap<number, StartRecords> {
    if (letters !== this.#letters) {
      const rows = this.#starts.all(letters);
      this.#withLetters = new Map(
        rows.map((row) => [
          Number(row[0]),
          { records: bytesOf(row[1]), named: bytesOf(row[2]), scores: numbersOf(bytesOf(row[3])) },
        ]),
      );
      this.#letters = letters;
    }
    return this.#withLetters;
  }

  /** The postings of the words of a range in a chunk. */
  counts({ number }: Chunk, { first, last }: WordRange): Posting[] {
    return this.#counts
      .all(number, first, last)
      .map((row) => ({ records: bytesOf(row[0]), counts: bytesOf(row[1]) }));
  }

  /** The postings of the words of a range in a chunk, with the places. */
  places({ number }: Chunk, { first, last }: WordRange): PlacedPosting[] {
    return this.#places
      .all(number, first, last)
      .map((row) => ({ records: bytesOf(row[0]), counts: bytesOf(row[1]), places: bytesOf(row[2]) }));
  }
}

const NOTHING = new Uint8Array(0);

/** The bytes of a column; none if it is NULL. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return isBytes(value) ? value : NOTHING;
}

/** Whether a value that was read is a blob, which is the whole of a buffer of its own. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

/** Bytes as numbers of 16 bits. */
export function numbersOf(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.slice().buffer);
}
