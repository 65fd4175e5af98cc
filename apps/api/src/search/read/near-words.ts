import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NAMES } from '../fields/search-fields.ts';
import type { Column, Columns } from '../file/columns.ts';
import type { TEXT_COLUMNS } from '../file/index-file.ts';
import { isWordByte } from './matchers.ts';

/** Fewest letters of a word that is corrected: shorter ones are near too many others. */
const SHORTEST = 4;
/** Most letters: longer ones would take more than some milliseconds. */
const LONGEST = 30;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A text column of the index; by default, all of them. */
export type NearColumn = Extract<(typeof TEXT_COLUMNS)[number]['name'], 'name' | 'place'>;

/** A folded word, and the column in which it is sought; by default, all of them. */
export interface SoughtWord {
  word: string;
  column?: NearColumn;
}

/** Finds the words of the index that differ from a word in one letter. */
export class NearWords {
  readonly #first: StatementSync;
  readonly #count: StatementSync;
  readonly #columns: Columns;
  #names: WordFilter | undefined;

  constructor(database: DatabaseSync, columns: Columns) {
    this.#columns = columns;
    this.#first = database.prepare('SELECT rowid FROM text WHERE text MATCH ? LIMIT 1');
    this.#count = database.prepare('SELECT count(*) AS records FROM text WHERE text MATCH ?');
  }

  /** Reads the words of all names, which the first search for a nearest name would do otherwise. */
  warm(): void {
    const names = new WordFilter();
    for (const { kinds, columns } of NAMES) {
      for (const kind of kinds) for (const name of columns) names.add(this.#columns.folded(kind, name));
    }
    this.#names = names;
  }

  /** Whether a record has the word. */
  has(word: string, column?: NearColumn): boolean {
    return this.#first.get(matchOf(word, column)) !== undefined;
  }

  /**
   * The word in most records among those that result from inserting, deleting or replacing a letter, or from exchanging
   * two adjacent ones; of equally frequent ones the first in the alphabet.
   *
   * @param word folded
   * @param column a column in which the nearest word has to be; of names, only those of `NAMES` count
   * @returns undefined if none is in more records than the word itself, or the word is too short or too long
   */
  nearest(word: string, column?: NearColumn): string | undefined {
    if (word.length < SHORTEST || word.length > LONGEST) return undefined;
    if (column === 'name' && !this.#names) this.warm();
    const known = column === 'name' ? this.#names : undefined;
    let nearest: string | undefined;
    let most = this.#recordsWith(word);
    for (const edited of new Set(editsOf(word))) {
      if (edited.length < SHORTEST || edited === word || known?.mayHave(edited) === false) continue;
      if (!this.has(edited, column)) continue;
      const records = this.#recordsWith(edited);
      const isBetter = records > most || (records === most && nearest !== undefined && edited < nearest);
      if (isBetter) [nearest, most] = [edited, records];
    }
    return nearest;
  }

  #recordsWith(word: string): number {
    return Number(this.#count.get(matchOf(word))?.['records']);
  }
}

/** The FTS5 query for a word. */
function matchOf(word: string, column?: NearColumn): string {
  return `${column === undefined ? '' : `${column} : `}"${word}"`;
}

/** The texts that differ from a word in one letter. */
function* editsOf(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, letter = '', next = '', rest] = [
      word.slice(0, at),
      word[at],
      word[at + 1],
      word.slice(at + 1),
    ];
    if (letter) yield before + rest;
    if (next) yield before + next + letter + word.slice(at + 2);
    for (const other of LETTERS) {
      if (letter) yield before + other + rest;
      yield before + other + letter + rest;
    }
  }
}

/** Number of bits of a filter: 300,000 words set 2 % of them. */
const FILTER_BITS = 2 ** 24;

/** A set of words, by hash: it may also have a few words that were not added. A statement for each word would take 20 µs. */
class WordFilter {
  readonly #bits = new Uint8Array(FILTER_BITS / 8);

  /** Adds the words of a column. */
  add({ bytes }: Column): void {
    let hash = HASH_START;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (isWordByte(byte)) {
        hash = hashOn(hash, byte);
      } else {
        this.#set(hash);
        hash = HASH_START;
      }
    }
  }

  mayHave(word: string): boolean {
    let hash = HASH_START;
    for (const byte of Buffer.from(word)) hash = hashOn(hash, byte);
    const bit = hash % FILTER_BITS;
    return ((this.#bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  #set(hash: number): void {
    const bit = hash % FILTER_BITS;
    this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const HASH_START = 0x811c9dc5;

function hashOn(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193) >>> 0;
}
