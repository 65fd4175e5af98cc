import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { fold } from '../fields/fold.ts';
import { NAMES, type RecordFields } from '../fields/search-fields.ts';
import { matchWordStarts, scoreOf } from '../file/column-matches.ts';
import { Column } from '../file/columns.ts';
import { CHUNK_RECORDS, RecordSet } from '../file/record-set.ts';
import { SHORTEST_START } from '../query/query.ts';
import { Lines } from './field-writer.ts';
import { columnValue } from './record-values.ts';

/** A start of fewer words is read by its words. */
const FEWEST_WORDS = 8;

/** The columns with the names of each kind. */
const NAME_COLUMNS = new Map(KINDS.map((kind) => [kind, nameColumns(kind)]));

/** Maximum number of names of a record. */
const MOST_NAMES = Math.max(...NAME_COLUMNS.values().map((columns) => columns.length));

/**
 * Writes which records of a chunk have words with the same start: the shortest ones of queries, which most words have. The scores of
 * their names are written too, as to compare names takes longer than all else.
 */
export class StartWriter {
  readonly #insert: StatementSync;
  readonly #records = new RecordSet();
  readonly #named = new RecordSet();
  /** The first names of all records of the chunk, the second ones, and so on. */
  readonly #lines = Array.from({ length: MOST_NAMES }, () => new Lines());
  #names: Column[] = [];
  /** The score of each record for one start. */
  readonly #scores = new Uint16Array(CHUNK_RECORDS);
  #chunk = 0;
  #letters = '';
  #words = 0;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare(
      'INSERT INTO start (chunk, letters, records, named, scores) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Adds the names of the next record. */
  addNames(kind: Kind, record: RecordFields): void {
    const columns = NAME_COLUMNS.get(kind) ?? [];
    for (const [at, lines] of this.#lines.entries()) {
      const column = columns[at];
      lines.add(column === undefined ? '' : fold(columnValue(kind, record, column)));
    }
  }

  /** Ends a chunk, whose words are next. */
  begin(chunk: number): void {
    this.#chunk = chunk;
    this.#names = this.#lines.map((lines) => new Column([lines.take()]));
  }

  /**
   * Adds the next word of the chunk.
   *
   * @param word higher than the one before
   * @param records those that have it, as `RecordSet` stores them
   * @param named those that have it in their name
   */
  add(word: string, records: Uint8Array, named: Uint8Array | null): void {
    const letters = word.slice(0, SHORTEST_START);
    if (letters !== this.#letters) this.flush();
    this.#letters = letters;
    this.#words += 1;
    this.#records.addAll(records);
    if (named) this.#named.addAll(named);
  }

  /** Writes the last start of a chunk. */
  flush(): void {
    // A start that ends within a character is no text.
    if (this.#words >= FEWEST_WORDS && this.#letters.isWellFormed())
      this.#insert.run(
        this.#chunk,
        this.#letters,
        this.#records.stored,
        this.#named.stored,
        this.#scoresOfNames(),
      );
    this.#records.clear();
    this.#named.clear();
    this.#words = 0;
  }

  /** The scores of the names with words that have the start, as numbers of 16 bits. */
  #scoresOfNames(): Uint8Array<ArrayBuffer> {
    const scores = this.#scores;
    const rows = Uint32Array.from(scores.subarray(0, this.#named.list(scores)));
    scores.fill(0);
    const start = Buffer.from(this.#letters);
    for (const names of this.#names) {
      matchWordStarts(
        names,
        start,
        (row, tier, share) => {
          scores[row] = Math.max(scores[row] ?? 0, scoreOf(tier, share));
        },
        rows,
      );
    }
    return new Uint8Array(Uint16Array.from(rows, (row) => scores[row] ?? 0).buffer);
  }
}

function nameColumns(kind: Kind): string[] {
  return NAMES.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ columns }) => columns);
}
