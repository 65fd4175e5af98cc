import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import type { RecordFields } from '../fields/search-fields.ts';
import { TEXT_COLUMN_NAMES, TEXT_COLUMNS } from '../file/index-file.ts';
import type { Pause } from './pause.ts';
import { cardOf, type IndexedRecord, recordText } from './record-values.ts';

/** Buffer for words in bytes: more is faster. */
const WORD_BYTES = 8 * 2 ** 20;

/** FTS5 pages merged per step. */
const MERGED_PAGES = 500;

/** Writes the card and the words of records, by rowid. */
export class TextWriter {
  readonly #insertText: StatementSync;
  readonly #deleteText: StatementSync;
  readonly #insertCard: StatementSync;
  readonly #deleteCard: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(`INSERT INTO text (text, rank) VALUES ('hashsize', ${WORD_BYTES})`);
    const values = `?${', ?'.repeat(TEXT_COLUMNS.length)}`;
    this.#insertText = database.prepare(`INSERT INTO text (rowid, ${TEXT_COLUMN_NAMES}) VALUES (${values})`);
    // A table without content cannot delete a row without its values.
    this.#deleteText = database.prepare(
      `INSERT INTO text (text, rowid, ${TEXT_COLUMN_NAMES}) VALUES ('delete', ${values})`,
    );
    this.#insertCard = database.prepare('INSERT INTO card (rowid, fields) VALUES (?, ?)');
    this.#deleteCard = database.prepare('DELETE FROM card WHERE rowid = ?');
  }

  /** Writes the record of a free rowid. */
  write(rowid: number, { kind, record, dates }: IndexedRecord): void {
    this.#insertCard.run(rowid, cardOf(kind, { ...record, ...dates }));
    this.#insertText.run(rowid, ...textValues(kind, record));
  }

  /** Frees the rowid of a record, which has to be the written one. Its words are in the file until `mergeText`. */
  remove(rowid: number, { kind, record }: IndexedRecord): void {
    this.#deleteCard.run(rowid);
    this.#deleteText.run(rowid, ...textValues(kind, record));
  }
}

function textValues(kind: Kind, record: RecordFields): string[] {
  const text = recordText(kind, record);
  return TEXT_COLUMNS.map(({ name }) => text[name]);
}

/**
 * Merges the FTS5 segments into one, which is faster to search and has no words of removed records, in steps. (A negative
 * first `merge` includes all segments; fewer than 2 changes mean that it is complete.)
 */
export async function mergeText(database: DatabaseSync, pause: Pause): Promise<void> {
  const merge = database.prepare("INSERT INTO text (text, rank) VALUES ('merge', ?)");
  const changes = database.prepare('SELECT total_changes() AS made');
  let before = Number(changes.get()?.['made']);
  for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
    merge.run(pages);
    const made = Number(changes.get()?.['made']);
    if (made - before < 2) return;
    before = made;
    await pause();
  }
}
