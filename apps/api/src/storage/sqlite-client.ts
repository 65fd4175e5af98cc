import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import { LRUCache } from 'lru-cache';
import { explainOpening } from './database-errors.ts';

/** Of a new file. Records are texts of several kilobytes: on pages of 4 KiB, SQLite's own, a file is a fifth larger. */
const PAGE_BYTES = 16 * 1024;

/** What SQLite makes beside a file that has a log, at least. */
const LOG_INDEX_BYTES = 32 * 1024;

const SQLITE_BUSY = 5;
/** Tries to switch a file to write-ahead logging, and milliseconds between two. */
const LOG_TRIES = 500;
const LOG_PAUSE = 20;

/** Opens a database file; makes it where there is none. On media that cannot be written to, it is read only. */
function openFile(file: string): DatabaseSync {
  try {
    return openToWrite(file);
  } catch (error) {
    if (isUnwritable(file)) return openUnchanging(file);
    throw error;
  }
}

/** Whether there is less room on the disk of a file than it takes to open one that has a log. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(dirname(file));
    return blocks > 0 && bavail * bsize < LOG_INDEX_BYTES;
  } catch {
    return false;
  }
}

function openToWrite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  try {
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    switchToLog(database);
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A file that is not in this mode is switched to it by one process alone; SQLite does not let others wait for that,
 * but says at once that the file is locked.
 */
function switchToLog(database: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || tries === LOG_TRIES) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE);
  }
}

/** Whether the file is there, on media that cannot be written to by this path, whoever asks. */
function isUnwritable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

/**
 * Opens a file as one that does not change: any other, SQLite reads with the help of a file that it makes beside it.
 *
 * @throws Error when there is a log beside it, which would be left out
 */
function openUnchanging(file: string): DatabaseSync {
  const log = `${file}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `nothing can be written there, and ${log} holds changes that are not in the file yet; ` +
        'run archive-api editions where it can be written, which brings them in',
    );
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true });
}

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
