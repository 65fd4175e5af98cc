import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { byteLengthOf, Cache } from '../../cache.ts';
import { fieldNumber, isRecordColumn } from './index-file.ts';

const LINE_FEED = 10;

/** The values of one field for all records of a kind, in order of position. */
export class Column {
  /** UTF-8, each value terminated by a line feed. */
  readonly bytes: Buffer;
  /** Offset of each value, followed by the length of the bytes. */
  readonly #starts: Uint32Array;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#starts = startsOf(bytes);
  }

  /** Size in memory, in bytes. */
  get byteLength(): number {
    return this.bytes.byteLength + this.#starts.byteLength;
  }

  /** Number of values. */
  get length(): number {
    return this.#starts.length - 1;
  }

  /** The value at a row (from 0). */
  valueAt(row: number): string {
    return this.bytes.toString('utf8', this.startOf(row), this.endOf(row));
  }

  /** Start offset of the value at a row (from 0). */
  startOf(row: number): number {
    return this.#starts[row] ?? this.bytes.length;
  }

  /** End offset of the value at a row (from 0), without its line feed. */
  endOf(row: number): number {
    return this.startOf(row + 1) - 1;
  }

  /** The row that contains the byte at offset `at`; searches from row `from`. */
  rowOf(at: number, from: number): number {
    let row = from;
    while (this.startOf(row + 1) <= at) row += 1;
    return row;
  }
}

function startsOf(bytes: Uint8Array): Uint32Array {
  let values = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) values += 1;
  const starts = new Uint32Array(values + 1);
  let value = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts[++value] = at + 1;
  return starts;
}

/** The columns of an index file, read on demand and cached. */
export class Columns {
  readonly #database: DatabaseSync;
  readonly #kept: Cache<Column>;
  readonly #pinned = new Map<string, Column>();

  /** @param cacheBytes size limit of the cache, without pinned columns */
  constructor(database: DatabaseSync, cacheBytes: number) {
    this.#database = database;
    this.#kept = new Cache<Column>(cacheBytes, byteLengthOf);
  }

  /** Size of the cached and pinned columns, in bytes. */
  get byteLength(): number {
    return this.#pinned.values().reduce((sum, { byteLength }) => sum + byteLength, this.#kept.byteLength);
  }

  /** Reads a column, and keeps it regardless of the cache limit. */
  pin(kind: Kind, name: string): void {
    this.#pinned.set(`${kind}.${name}`, this.#read(kind, name, 'folded'));
  }

  /** The folded values of a field, for comparison. */
  folded(kind: Kind, name: string): Column {
    const key = `${kind}.${name}`;
    return this.#pinned.get(key) ?? this.#kept.get(key, () => this.#read(kind, name, 'folded'));
  }

  /** The original values of a field, for display. */
  shown(kind: Kind, name: string): Column {
    const key = `${kind}.${name} as shown`;
    return this.#kept.get(key, () => this.#read(kind, name, 'coalesce(shown, folded)'));
  }

  #read(kind: Kind, name: string, value: string): Column {
    const number = KINDS.indexOf(kind);
    const row = isRecordColumn(name)
      ? this.#prepare(name, 'record WHERE kind = ? ORDER BY id').get(number)
      : this.#prepare(value, VALUES_OF_FIELD).get(number, fieldNumber(kind, name));
    const bytes = row?.['bytes'];
    return new Column(bytes instanceof Uint8Array ? bytes : new Uint8Array());
  }

  /** Selects values, each terminated by a line feed, in one blob: separate rows would take several times as long. */
  #prepare(value: string, from: string): StatementSync {
    return this.#database.prepare(`
      SELECT CAST(group_concat(line, '') AS BLOB) AS bytes
      FROM (SELECT coalesce(${value}, '') || char(${LINE_FEED}) AS line FROM ${from})`);
  }
}

/** The records of a kind in order of position, each with its value of a field. */
const VALUES_OF_FIELD = `
  (SELECT slot FROM record WHERE kind = ? ORDER BY id) AS ordered
  LEFT JOIN value ON value.field = ? AND value.slot = ordered.slot`;
