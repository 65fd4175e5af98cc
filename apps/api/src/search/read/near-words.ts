import { NAMES } from '../fields/search-fields.ts';
import { eachWord, hashOf } from '../fields/word-bytes.ts';
import type { Column, Columns } from '../file/columns.ts';
import { TEXT_COLUMNS } from '../file/index-file.ts';
import { PostingCursor } from '../file/posting-cursor.ts';
import { onlyWord, type Postings } from '../file/postings.ts';

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
  readonly #postings: Postings;
  readonly #columns: Columns;
  readonly #cursor = new PostingCursor();
  #names: WordFilter | undefined;

  constructor(postings: Postings, columns: Columns) {
    this.#postings = postings;
    this.#columns = columns;
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
    if (column === undefined) return this.#postings.has(word);
    const place = TEXT_COLUMNS.findIndex(({ name }) => name === column);
    return this.#postings.chunks.some((chunk) =>
      this.#postings.counts(chunk, onlyWord(word)).some((posting) => {
        this.#cursor.open(posting);
        while (this.#cursor.next()) if (this.#cursor.countIn(place) > 0) return true;
        return false;
      }),
    );
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
    let most = this.#postings.count(word);
    for (const edited of new Set(editsOf(word))) {
      if (edited.length < SHORTEST || edited === word || known?.mayHave(edited) === false) continue;
      if (!this.has(edited, column)) continue;
      const records = this.#postings.count(edited);
      const isBetter = records > most || (records === most && nearest !== undefined && edited < nearest);
      if (isBetter) [nearest, most] = [edited, records];
    }
    return nearest;
  }
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
    eachWord(bytes, bytes.length, (_start, _end, hash) => this.#set(hash));
  }

  mayHave(word: string): boolean {
    const bit = hashOf(word) % FILTER_BITS;
    return ((this.#bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  #set(hash: number): void {
    const bit = hash % FILTER_BITS;
    this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
}
