import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { byteLengthOf, Cache } from '../../cache.ts';
import { freeArray } from '../../number-list.ts';
import { isBytes } from './postings.ts';

const LINE_FEED = 10;

/** The values of one field for all records of a kind, in order of position. */
export class Column {
  /** UTF-8, each value terminated by a line feed. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** Offset of each value, followed by the length of the bytes. */
  readonly starts: Uint32Array<ArrayBuffer>;

  constructor(blocks: readonly Uint8Array[]) {
    this.bytes = joined(blocks);
    this.starts = startsOf(this.bytes);
  }

  /** A column of blocks that were read from a database, whose memory is freed. */
  static taking(blocks: readonly unknown[]): Column {
    const read = blocks.filter(isBytes);
    const column = new Column(read);
    for (const block of read) freeArray(block);
    return column;
  }

  /** Frees its memory; then it has no values. */
  free(): void {
    freeArray(this.bytes);
    freeArray(this.starts);
  }

  /** Size in memory, in bytes. */
  get byteLength(): number {
    return this.bytes.byteLength + this.starts.byteLength;
  }

  /** Number of values. */
  get length(): number {
    return this.starts.length - 1;
  }

  /** The value at a row (from 0). */
  valueAt(row: number): string {
    return this.bytes.toString('utf8', this.startOf(row), this.endOf(row));
  }

  /** Start offset of the value at a row (from 0). */
  startOf(row: number): number {
    return this.starts[row] ?? this.bytes.length;
  }

  /** End offset of the value at a row (from 0), without its line feed. */
  endOf(row: number): number {
    return this.startOf(row + 1) - 1;
  }

  /** The row that contains the byte at offset `at`; searches from row `from`, and is fast if it is near. */
  rowOf(at: number, from: number): number {
    let low = from;
    let step = 1;
    while (this.startOf(low + step) <= at) {
      low += step;
      step *= 2;
    }
    let high = low + step;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.startOf(middle) <= at) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Blocks one after the other, in a buffer of their own. */
function joined(blocks: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

function startsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  let values = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) values += 1;
  const starts = new Uint32Array(values + 1);
  let value = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts[++value] = at + 1;
  return starts;
}

/** The columns of an index file, read on demand and cached. */
export class Columns {
  readonly #selectFolded: StatementSync;
  readonly #selectShown: StatementSync;
  readonly #kept: Cache<Column>;
  readonly #pinned = new Map<string, Column>();

  /** @param cacheBytes size limit of the cache, without pinned columns */
  constructor(database: DatabaseSync, cacheBytes: number) {
    const where = 'FROM field WHERE kind = ? AND name = ? ORDER BY block';
    this.#selectFolded = database.prepare(`SELECT folded AS bytes ${where}`);
    this.#selectShown = database.prepare(`SELECT coalesce(shown, folded) AS bytes ${where}`);
    this.#kept = new Cache<Column>(cacheBytes, byteLengthOf);
  }

  /** Size of the cached and pinned columns, in bytes. */
  get byteLength(): number {
    return this.#pinned.values().reduce((sum, { byteLength }) => sum + byteLength, this.#kept.byteLength);
  }

  /** Reads a column, and keeps it regardless of the cache limit. */
  pin(kind: Kind, name: string): void {
    this.#pinned.set(`${kind}.${name}`, read(this.#selectFolded, kind, name));
  }

  /** The folded values of a field, for comparison. */
  folded(kind: Kind, name: string): Column {
    const key = `${kind}.${name}`;
    return this.#pinned.get(key) ?? this.#kept.get(key, () => read(this.#selectFolded, kind, name));
  }

  /** The folded values of a field in order, of which one block at a time is in memory. */
  *values(kind: Kind, name: string): Generator<string> {
    for (const { bytes } of this.#selectFolded.iterate(kind, name)) {
      const block = Column.taking([bytes]);
      for (let row = 0; row < block.length; row++) yield block.valueAt(row);
      block.free();
    }
  }

  /** The original values of a field, for display. */
  shown(kind: Kind, name: string): Column {
    return this.#kept.get(`${kind}.${name} as shown`, () => read(this.#selectShown, kind, name));
  }
}

function read(select: StatementSync, kind: Kind, name: string): Column {
  return Column.taking(select.all(kind, name).map((row) => row['bytes']));
}
