import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from 'node:sqlite';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import { LRUCache } from 'lru-cache';
import { explainOpening } from './explain-error.ts';
import { isFull, openFile } from './open-file.ts';

/** Statements that a connection keeps prepared. */
const KEPT_STATEMENTS = 100;

/** Pages that a connection keeps in memory; the system keeps those of the file as well. */
const CACHE_BYTES = 16 * 2 ** 20;

/** How often a connection looks whether its file still is the one at its path, in milliseconds: editions are followed no faster. */
const LOOK_MS = 100;

/** A prepared statement as Knex's client uses it. */
interface Prepared {
  /** Whether it gives rows. */
  reader: boolean;
  all(bindings: SQLInputValue[]): unknown[];
  run(bindings: SQLInputValue[]): StatementResultingChanges;
}

/** The part of better-sqlite3's connection that Knex's client uses, over the SQLite that is in Node. */
class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: KEPT_STATEMENTS });
  readonly #file: string;
  readonly #inode: number;
  readonly #device: number;
  #lookedAt = 0;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#database = openFile(file);
    const { ino, dev } = statSync(file);
    this.#file = file;
    this.#inode = ino;
    this.#device = dev;
    this.#database.exec(`PRAGMA cache_size = -${CACHE_BYTES / 1024}`);
  }

  /**
   * A statement's memory is SQLite's, which the garbage collector does not see: those used last are kept and
   * used again, so that few are left to it.
   */
  prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const prepared = this.#compile(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #compile(sql: string): Prepared {
    const statement = this.#database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (bindings) => statement.all(...bindings),
      run: (bindings) => statement.run(...bindings),
    };
  }

  /** Whether the file that is open is the one that its path leads to, or was a moment ago. */
  isOfItsPath(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return true;
    this.#lookedAt = now;
    const there = statSync(this.#file, { throwIfNoEntry: false });
    return !there || (there.ino === this.#inode && there.dev === this.#device);
  }

  close() {
    this.#database.close();
  }
}

/**
 * Knex's better-sqlite3 client on `node:sqlite`: no native addon to compile. Readers go on while a publish
 * writes (write-ahead log); whoever finds the database locked waits up to 30 s.
 */
export class SqliteClient extends BetterSqlite3Client {
  override _driver() {
    return Connection;
  }

  /** A connection holds its file, even where another has been put in its place: then a new one is made. */
  override async validateConnection(connection: Connection): Promise<boolean> {
    return connection.isOfItsPath();
  }

  override async acquireRawConnection() {
    try {
      return await super.acquireRawConnection();
    } catch (error) {
      const { filename = '' }: { filename?: string } = this.connectionSettings;
      throw explainOpening(error, `open ${filename}${isFull(filename) ? ', whose disk is full' : ''}`);
    }
  }
}
