import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archive/types';
import { FieldWriter } from './field-writer.ts';
import { searchableColumns } from './fields.ts';
import { TEXT_COLUMN_NAMES } from './index-file.ts';
import { plainText, type RecordFields, recordText, TEXT_COLUMNS } from './record-text.ts';

/** A published record, to be found. */
export interface IndexedRecord {
  kind: Kind;
  /** Dense rank among the records of its kind, by id ascending: 1, 2, 3 … */
  position: number;
  /** The record as the API serves it. Embedded records may be left out. */
  record: RecordFields;
}

/** Writes records into the tables of an index, kind after kind. */
export class IndexWriter {
  readonly #insertText: StatementSync;
  readonly #insertKind: StatementSync;
  readonly #insertBlock: StatementSync;
  readonly #counts = new Map<Kind, number>();
  #kind: Kind = KINDS[0];
  #fields: FieldWriter[];
  #docs = 0;

  constructor(database: DatabaseSync) {
    this.#insertText = database.prepare(
      `INSERT INTO text (rowid, ${TEXT_COLUMN_NAMES}) VALUES (?${', ?'.repeat(TEXT_COLUMNS.length)})`,
    );
    this.#insertKind = database.prepare('INSERT INTO kind (name, records) VALUES (?, ?)');
    this.#insertBlock = database.prepare(
      'INSERT INTO field (kind, name, block, folded, shown) VALUES (?, ?, ?, ?, ?)',
    );
    this.#fields = this.#fieldsOf(this.#kind);
  }

  /** @throws RangeError when the record is not the one that comes next */
  add({ kind, position, record }: IndexedRecord): void {
    if (KINDS.indexOf(kind) > KINDS.indexOf(this.#kind)) this.#begin(kind);
    const expected = (this.#counts.get(this.#kind) ?? 0) + 1;
    if (kind !== this.#kind || position !== expected) {
      throw new RangeError(
        `${kind} ${position}: expected ${this.#kind} ${expected}, or the first record of a later kind`,
      );
    }
    this.#counts.set(kind, position);
    for (const field of this.#fields) field.add(plainText(record[field.name]));
    const text = recordText(kind, record);
    this.#insertText.run(this.#docs, ...TEXT_COLUMNS.map((column) => text[column.name]));
    this.#docs += 1;
  }

  /** Writes what is still gathered. */
  finish(): void {
    for (const field of this.#fields) field.flush();
    for (const [kind, records] of this.#counts) this.#insertKind.run(kind, records);
  }

  #begin(kind: Kind): void {
    for (const field of this.#fields) field.flush();
    this.#kind = kind;
    this.#fields = this.#fieldsOf(kind);
  }

  #fieldsOf(kind: Kind): FieldWriter[] {
    return searchableColumns(kind).map(
      (name) =>
        new FieldWriter(name, ({ block, folded, shown }) => {
          this.#insertBlock.run(kind, name, block, folded, shown);
        }),
    );
  }
}
