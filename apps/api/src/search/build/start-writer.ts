import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { RecordSet } from '../file/record-set.ts';
import { SHORTEST_START } from '../query/query.ts';

/** A start of fewer words is read by its words. */
const FEWEST_WORDS = 8;

/** Writes which records of a chunk have words with the same start: the shortest ones of queries, which most words have. */
export class StartWriter {
  readonly #insert: StatementSync;
  readonly #records = new RecordSet();
  readonly #named = new RecordSet();
  #letters = '';
  #words = 0;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO start (chunk, letters, records, named) VALUES (?, ?, ?, ?)');
  }

  /**
   * Adds the next word of a chunk.
   *
   * @param word higher than the one before
   * @param records those that have it, as `RecordSet` stores them
   * @param named those that have it in their name
   */
  add(chunk: number, word: string, records: Uint8Array, named: Uint8Array | null): void {
    const letters = word.slice(0, SHORTEST_START);
    if (letters !== this.#letters) this.flush(chunk);
    this.#letters = letters;
    this.#words += 1;
    this.#records.addAll(records);
    if (named) this.#named.addAll(named);
  }

  /** Writes the last start of a chunk. */
  flush(chunk: number): void {
    // A start that ends within a character is no text.
    if (this.#words >= FEWEST_WORDS && this.#letters.isWellFormed())
      this.#insert.run(chunk, this.#letters, this.#records.stored, this.#named.stored);
    this.#records.clear();
    this.#named.clear();
    this.#words = 0;
  }
}
