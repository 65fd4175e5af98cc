import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { KINDS, UUID_PATTERN } from '@archiefkast/types';
import { uuidIn } from '@archiefkast/types/internal';
import type { Pause } from '../../pause.ts';
import { fold } from '../fields/fold.ts';
import { RELATIONS } from '../fields/relations.ts';
import { IndexUpdateError, TEXT_COLUMNS, VALUE_FIELDS } from '../file/index-file.ts';
import { countBelow } from './count-below.ts';
import {
  cardOf,
  columnValue,
  dayOf,
  type IndexedRecord,
  nameKey,
  numberOf,
  recordText,
} from './record-values.ts';

/** The uuid at the end of a reference: a uuid, or a URL or path. */
const UUID_AT_THE_END = new RegExp(`(?:^|/)(${UUID_PATTERN})/?(?:\\?[^#]*)?$`);

/** References that are resolved at a time. */
const BATCH_REFERENCES = 5_000;

/** Inserts and deletes records in the tables of an index. */
export class RecordWriter {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(`
      CREATE TEMP TABLE named (
        number INTEGER PRIMARY KEY, relation INTEGER, source INTEGER, place INTEGER, kind INTEGER, uuid TEXT, id INTEGER
      )`);
    this.#statements = prepareStatements(database);
  }

  /** Inserts a record into a free slot. */
  insert(slot: number, { kind, record, dates }: IndexedRecord): void {
    const text = textOf({ kind, record });
    this.#statements.insertRecord.run(
      slot,
      KINDS.indexOf(kind),
      Number(record['id']),
      String(record['uuid']),
      nameKey(kind, record, 'nl'),
      nameKey(kind, record, 'en'),
      dayOf(kind, record),
      numberOf(record['latitude']),
      numberOf(record['longitude']),
      cardOf(kind, { ...record, ...dates }),
      hashOf(text),
    );
    this.#statements.insertText.run(slot, ...text);
    const values: (string | number | null)[] = [];
    for (const [field, { kind: ofKind, name }] of VALUE_FIELDS.entries()) {
      const value = ofKind === kind ? columnValue(kind, record, name) : '';
      if (value === '') continue;
      const [folded, shown] = [fold(value), value.replaceAll('\n', ' ')];
      values.push(field, slot, folded, shown === folded ? null : shown);
    }
    this.#statements.insertValues[values.length / 4 - 1]?.run(...values);
    for (const [relation, { source, field, target }] of RELATIONS.entries()) {
      if (source !== kind) continue;
      for (const [place, value] of [record[field]].flat().entries()) {
        const uuid = field === 'parent' ? null : uuidOf(value);
        const id = field === 'parent' && typeof value === 'number' ? value : null;
        if (uuid === null && id === null) continue;
        this.#statements.insertNamed.run(relation, slot, place, KINDS.indexOf(target), uuid, id);
      }
    }
  }

  /**
   * Deletes a record, except for the references of others to it.
   *
   * @returns its slot
   * @throws IndexUpdateError if the index does not have it, or has other words of it
   */
  delete({ kind, record }: IndexedRecord): number {
    const found = this.#statements.findRecord.get(KINDS.indexOf(kind), String(record['uuid']));
    const text = textOf({ kind, record });
    if (found?.['hash'] !== hashOf(text))
      throw new IndexUpdateError(`the index does not have this ${kind} ${record['uuid']}`);
    const slot = Number(found['slot']);
    this.#statements.deleteText.run(slot, ...text);
    this.#statements.deleteRecord.run(slot);
    for (const [field, { kind: ofKind }] of VALUE_FIELDS.entries())
      if (ofKind === kind) this.#statements.deleteValue.run(field, slot);
    for (const [relation, { source }] of RELATIONS.entries())
      if (source === kind) this.#statements.deleteSource.run(relation, slot);
    return slot;
  }

  /** Deletes the references to a record. */
  deleteReferencesTo(slot: number): void {
    for (const relation of RELATIONS.keys()) this.#statements.deleteTarget.run(relation, slot);
  }

  /** Writes the references of the inserted records, without dangling ones, and the counts that follow from all of them. */
  async finish(pause: Pause): Promise<void> {
    const { lastNamed, resolveUuids, resolveIds } = this.#statements;
    const last = Number(lastNamed.get()?.['number'] ?? 0);
    for (let first = 1; first <= last; first += BATCH_REFERENCES) {
      for (const resolve of [resolveUuids, resolveIds]) resolve.run(first, first + BATCH_REFERENCES - 1);
      await pause();
    }
    this.#database.exec('DROP TABLE named');
    await countBelow(this.#database, pause);
  }
}

function prepareStatements(database: DatabaseSync) {
  const columns = TEXT_COLUMNS.map(({ name }) => name).join(', ');
  const words = TEXT_COLUMNS.map(() => '?').join(', ');
  const resolve = (column: 'uuid' | 'id') =>
    database.prepare(`
      INSERT OR IGNORE INTO reference (relation, source, target, place)
      SELECT relation, source, slot, place
      FROM named CROSS JOIN record ON record.kind = named.kind AND record.${column} = named.${column}
      WHERE number BETWEEN ? AND ? ORDER BY number`);
  return {
    insertRecord: database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    // By number of rows. Without "OR FAIL", SQLite would make a savepoint for each, for which FTS5 writes all words that it holds.
    insertValues: VALUE_FIELDS.map((_, rows) =>
      database.prepare(`INSERT OR FAIL INTO value VALUES ${'(?, ?, ?, ?), '.repeat(rows)}(?, ?, ?, ?)`),
    ),
    insertText: database.prepare(`INSERT INTO text (rowid, ${columns}) VALUES (?, ${words})`),
    insertNamed: database.prepare('INSERT INTO named VALUES (NULL, ?, ?, ?, ?, ?, ?)'),
    findRecord: database.prepare('SELECT slot, hash FROM record WHERE kind = ? AND uuid = ?'),
    deleteRecord: database.prepare('DELETE FROM record WHERE slot = ?'),
    deleteValue: database.prepare('DELETE FROM value WHERE field = ? AND slot = ?'),
    deleteText: database.prepare(`INSERT INTO text (text, rowid, ${columns}) VALUES ('delete', ?, ${words})`),
    deleteSource: database.prepare('DELETE FROM reference WHERE relation = ? AND source = ?'),
    deleteTarget: database.prepare(
      'DELETE FROM reference INDEXED BY reference_target WHERE relation = ? AND target = ?',
    ),
    lastNamed: database.prepare('SELECT max(number) AS number FROM named'),
    resolveUuids: resolve('uuid'),
    resolveIds: resolve('id'),
  };
}

/** The words of a record, by text column. */
function textOf({ kind, record }: IndexedRecord): string[] {
  const text = recordText(kind, record);
  return TEXT_COLUMNS.map(({ name }) => text[name]);
}

function hashOf(text: readonly string[]): string {
  return hash('sha256', text.join('\n'), 'base64url');
}

/** The uuid of a reference: a uuid, an API reference or a record. */
function uuidOf(value: unknown): string | null {
  const text = uuidIn(value);
  return (typeof text === 'string' && UUID_AT_THE_END.exec(text)?.[1]) || null;
}
