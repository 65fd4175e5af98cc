import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types';
import { ByteLru } from '../../byte-lru.ts';
import { Column } from './column.ts';

/** The columns of an index file, read when they are asked for and kept while there is room. */
export class Columns {
  readonly #selectFolded: StatementSync;
  readonly #selectShown: StatementSync;
  readonly #kept: ByteLru<Column>;
  readonly #pinned = new Map<string, Column>();

  /** @param cacheBytes bytes that the columns kept may take together; the pinned ones come on top */
  constructor(database: DatabaseSync, cacheBytes: number) {
    const where = 'FROM field WHERE kind = ? AND name = ? ORDER BY block';
    this.#selectFolded = database.prepare(`SELECT folded AS bytes ${where}`);
    this.#selectShown = database.prepare(`SELECT coalesce(shown, folded) AS bytes ${where}`);
    this.#kept = new ByteLru(cacheBytes);
  }

  /** Reads a column and keeps it, however large it is. */
  pin(kind: Kind, name: string): void {
    this.#pinned.set(`${kind}.${name}`, read(this.#selectFolded, kind, name));
  }

  /** The values of a field as they are compared. */
  folded(kind: Kind, name: string): Column {
    const key = `${kind}.${name}`;
    return this.#pinned.get(key) ?? this.#kept.get(key, () => read(this.#selectFolded, kind, name));
  }

  /** The values of a field as they are shown. */
  shown(kind: Kind, name: string): Column {
    return this.#kept.get(`${kind}.${name} as shown`, () => read(this.#selectShown, kind, name));
  }
}

function read(select: StatementSync, kind: Kind, name: string): Column {
  const blocks = select.all(kind, name).map((row) => row['bytes']);
  return new Column(blocks.filter((block) => block instanceof Uint8Array));
}
