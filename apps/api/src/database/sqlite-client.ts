import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';

/** Statements that a connection keeps prepared. */
const KEPT_STATEMENTS = 100;

/** Of a new file. Records are texts of several kilobytes: on pages of 4 KiB, SQLite's own, a file is a fifth larger. */
const PAGE_BYTES = 16 * 1024;
/** Pages that a connection keeps in memory; the system keeps those of the file as well. */
const CACHE_BYTES = 16 * 2 ** 20;

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
  readonly #statements = new Map<string, Prepared>();

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#database = new DatabaseSync(file, { timeout: 30_000 });
    this.#database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec('PRAGMA synchronous = NORMAL');
    this.#database.exec(`PRAGMA cache_size = -${CACHE_BYTES / 1024}`);
  }

  /**
   * A statement's memory is SQLite's, which the garbage collector does not see: those used last are kept and
   * used again, so that few are left to it.
   */
  prepare(sql: string): Prepared {
    const prepared = this.#statements.get(sql) ?? this.#compile(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > KEPT_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
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
}
