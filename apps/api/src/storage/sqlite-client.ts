import { accessSync, constants, existsSync, mkdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import { LRUCache } from 'lru-cache';
import { explainOpening, isBusy } from './database-errors.ts';

/** Page size of a new file. Records are texts of several kilobytes; with SQLite's default of 4 KiB a file is 20% larger. */
const PAGE_BYTES = 16 * 1024;

/** Minimum size of the shared-memory file that SQLite creates in WAL mode. */
const LOG_INDEX_BYTES = 32 * 1024;

/** How long a statement waits for another process that has locked the file. */
const LOCK_MILLISECONDS = 30_000;

/** Maximum attempts to switch a file to write-ahead logging, and the pause between them in milliseconds. */
const LOG_TRIES = 500;
const LOG_PAUSE = 20;

/** Opens a database file, or creates it; opens it read-only on read-only media. */
function openFile(file: string): DatabaseSync {
  return isUnwritable(file) ? openUnchanging(file) : openToWrite(file);
}

function openToWrite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: LOCK_MILLISECONDS });
  try {
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    switchToLog(database);
    database.exec('PRAGMA synchronous = NORMAL');
    // Overwrites what is deleted, so that nothing of a record that was taken down stays in the file.
    database.exec('PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Switches a file to WAL mode. SQLite lets one process do so, and reports the file as locked to others without waiting,
 * hence the retries.
 */
function switchToLog(database: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || tries === LOG_TRIES) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE);
  }
}

/** Whether the disk of a folder has no room for the shared-memory file; false if the file system does not report its size. */
function isFull(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize, blocks } = statfsSync(folder);
  return blocks > 0 && bavail * bsize < LOG_INDEX_BYTES;
}

/** Whether the file exists, on a file system that is read-only. */
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
 * Opens a file as immutable; otherwise SQLite would have to create a shared-memory file beside it.
 *
 * @throws Error if it has a write-ahead log, which would be ignored
 */
function openUnchanging(file: string): DatabaseSync {
  const log = `${file}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `the folder is read-only, and ${log} contains changes that are not in the file yet; ` +
        'run archive-api editions where it is writable to merge them',
    );
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true });
}

/** Maximum number of prepared statements kept per connection. */
const KEPT_STATEMENTS = 100;

/** Page cache of a connection; the operating system caches the file as well. */
const CACHE_BYTES = 16 * 2 ** 20;

/** Interval between checks that the open file is still the one at its path; as often as editions are polled. */
const CHECK_MS = 100;

/** A prepared statement as Knex's client uses it. */
interface Prepared {
  /** Whether it returns rows. */
  reader: boolean;
  all(bindings: SQLInputValue[]): unknown[];
  run(bindings: SQLInputValue[]): StatementResultingChanges;
}

/** The part of better-sqlite3's connection that Knex uses, on top of `node:sqlite`. */
class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: KEPT_STATEMENTS });
  readonly #file: string;
  readonly #opened: Stats;
  #lookedAt = 0;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#database = openFile(file);
    this.#opened = statSync(file);
    this.#file = file;
    this.#database.exec(`PRAGMA cache_size = -${CACHE_BYTES / 1024}`);
  }

  /**
   * Prepares a statement, or takes it from the cache. The garbage collector does not see the memory of statements, which
   * is SQLite's; reusing them leaves few to it.
   */
  prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    const prepared: Prepared = {
      reader: statement.columns().length > 0,
      all: (bindings) => statement.all(...bindings),
      run: (bindings) => statement.run(...bindings),
    };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Whether the open file is still the one at its path; checked every 100 ms. */
  isOfItsPath(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < CHECK_MS) return true;
    this.#lookedAt = now;
    const there = statSync(this.#file, { throwIfNoEntry: false });
    return !there || (there.ino === this.#opened.ino && there.dev === this.#opened.dev);
  }

  close() {
    this.#database.close();
  }
}

/**
 * Knex's better-sqlite3 client on top of `node:sqlite`, which needs no native addon. With the write-ahead log, readers
 * are not blocked by a publish; a writer waits up to 30 s for a locked database.
 */
export class SqliteClient extends BetterSqlite3Client {
  override _driver() {
    return Connection;
  }

  /** Opens a new connection if the file has been replaced by another one. */
  override async validateConnection(connection: Connection): Promise<boolean> {
    return connection.isOfItsPath();
  }

  override async acquireRawConnection() {
    try {
      return await super.acquireRawConnection();
    } catch (error) {
      const { filename = '' }: { filename?: string } = this.connectionSettings;
      throw explainOpening(
        error,
        `open ${filename}${isFull(dirname(filename)) ? ', whose disk is full' : ''}`,
      );
    }
  }
}

/** Whether a database is SQLite. */
export function isSqlite(database: Knex): boolean {
  return database.client instanceof SqliteClient;
}

/** Maximum number of attempts to erase what was deleted, and the pause after each in milliseconds. */
const ERASE_TRIES = 20;
const ERASE_PAUSE = 250;

/** Value of `user_version`, which is 0 in a new file and is copied by VACUUM, while rows were deleted and not erased. */
const ERASURE_DUE = 1;

/** Says in an SQLite database, in the transaction that begins to delete rows, that these are to be erased. */
export async function requireErasure(transaction: Knex.Transaction): Promise<void> {
  if (isSqlite(transaction)) await transaction.raw(`pragma user_version = ${ERASURE_DUE}`);
}

/**
 * Erases from an SQLite database all that was deleted in it since it was last erased, also by a process that was killed: writes its file anew, copies the write-ahead log into it, and truncates that.
 * `secure_delete` overwrites a row where it is deleted, but not what SQLite leaves of it in the free part of a page when it moves
 * rows to another one. Waits for transactions of other programs. Does nothing on MySQL and MariaDB.
 *
 * @throws Error if other transactions do not end in time; the signal's reason
 */
export async function eraseDeleted(database: Knex, signal: AbortSignal): Promise<void> {
  if (!isSqlite(database)) return;
  const [{ user_version: state }] = await database.raw('pragma user_version');
  const steps = state === ERASURE_DUE ? [vacuum, truncateLog, noteErased] : [truncateLog];
  for (let tries = 0; tries < ERASE_TRIES; tries += 1) {
    signal.throwIfAborted();
    while (steps[0] && (await steps[0](database))) steps.shift();
    if (steps.length === 0) return;
    await sleep(ERASE_PAUSE);
  }
  const [main] = await database.raw("select file from pragma_database_list where name = 'main'");
  throw new Error(
    `${main.file} and its -wal still contain what was deleted, because another program has had a transaction open for ` +
      `${(ERASE_TRIES * ERASE_PAUSE) / 1_000} s; end it, and publish again with --keep 1`,
  );
}

/** Writes the file anew, with rows only. @returns false if another program writes */
async function vacuum(database: Knex): Promise<boolean> {
  return await withoutWaiting(database, async () => {
    try {
      await database.raw('vacuum');
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
  });
}

/** @returns true */
async function noteErased(database: Knex): Promise<boolean> {
  await database.raw('pragma user_version = 0');
  return true;
}

/** Copies the log into the file and truncates it. @returns false if another program reads or writes */
async function truncateLog(database: Knex): Promise<boolean> {
  return await withoutWaiting(database, async () => {
    const [{ busy }] = await database.raw('pragma wal_checkpoint(truncate)');
    return busy === 0;
  });
}

/** Runs a statement that does not wait for locks, which would block this process and the renewal of its lease. */
async function withoutWaiting(database: Knex, work: () => Promise<boolean>): Promise<boolean> {
  await database.raw('pragma busy_timeout = 0');
  try {
    return await work();
  } finally {
    await database.raw(`pragma busy_timeout = ${LOCK_MILLISECONDS}`);
  }
}
