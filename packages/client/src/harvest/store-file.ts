import { rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { WriteError } from '@archiefkast/system';
import { FolderError } from '../errors.ts';
import { TABLES, VERSION } from './store-schema.ts';

/** Interval of commits, in milliseconds; pages that are lost with a process are fetched again. */
const COMMIT_MS = 100;

/** File systems of a network (NFS, SMB), which cannot share the memory of a write-ahead log; from `statfs`. */
const NETWORKS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** The SQLite file of a store: one process writes it, and others read what is committed. Its errors are those of the folder. */
export class StoreFile implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #isWritable: boolean;
  readonly #statements = new Map<string, StatementSync>();
  #committedAt = 0;

  /** Opens it; one that is written is created, and locked. @throws FolderError if it is damaged or another process writes it */
  constructor(path: string, isWritable: boolean) {
    this.path = path;
    this.#isWritable = isWritable;
    this.#database = this.attempt(() => new DatabaseSync(path, { readOnly: !isWritable, timeout: 0 }));
    try {
      this.attempt(() => {
        if (isWritable) this.#begin();
        this.#check();
      });
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Whether nothing was committed to it. */
  get isEmpty(): boolean {
    return this.get('SELECT count(*) AS tables FROM sqlite_schema')?.['tables'] === 0;
  }

  get(sql: string, ...values: SQLInputValue[]) {
    return this.attempt(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]) {
    return this.attempt(() => this.#prepare(sql).all(...values));
  }

  /** Reads rows by a statement of its own: two can be read in turn. */
  iterate(sql: string, ...values: SQLInputValue[]) {
    return this.attempt(() => this.#database.prepare(sql)).iterate(...values);
  }

  /** Writes; after a failure the file is closed, so that no page is stored in part. */
  run(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.attempt(() => this.#prepare(sql).run(...values));
    } catch (error) {
      if (this.#database.isOpen) this.#database.close();
      throw error;
    }
  }

  /** Makes everything durable that was stored. @throws WriteError */
  commit(): void {
    this.attempt(() => this.#database.exec('COMMIT; BEGIN IMMEDIATE'));
    this.#committedAt = Date.now();
  }

  /** Commits, if the last time is long enough ago. @throws WriteError */
  commitIfDue(): void {
    if (Date.now() - this.#committedAt >= COMMIT_MS) this.commit();
  }

  /** Runs work; errors of SQLite and invalid values become errors of the folder. */
  attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof FolderError || error instanceof WriteError) throw error;
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
      if (code === BUSY) {
        throw new FolderError(
          `${dirname(this.path)}: another harvest into this folder is running; wait for it, or harvest into another folder`,
          { cause: error },
        );
      }
      if (code !== undefined && NOT_WRITTEN.has(code)) throw new WriteError(this.path, error);
      throw this.damage(error instanceof Error ? error.message : String(error), error);
    }
  }

  /** The error of a file that does not have what it should. */
  damage(what: string, cause?: unknown): FolderError {
    return new FolderError(
      `${this.path} is damaged (${what}); delete it and harvest again, or harvest into another folder`,
      { cause },
    );
  }

  /** Commits, and leaves one file. @throws WriteError */
  [Symbol.dispose](): void {
    if (!this.#database.isOpen) return;
    try {
      if (this.#isWritable && this.#database.isTransaction)
        this.attempt(() => this.#database.exec('COMMIT; PRAGMA journal_mode = DELETE'));
    } finally {
      this.#database.close();
      // Made by whoever read the log of a killed process.
      if (this.#isWritable && this.path !== '') rmSync(`${this.path}-shm`, { force: true });
    }
  }

  /** Takes the lock, which the process keeps; creates the tables. */
  #begin(): void {
    this.#database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL');
    if (this.path !== '' && !NETWORKS.has(statfsSync(dirname(this.path)).type))
      this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec('BEGIN IMMEDIATE');
    if (this.isEmpty) this.#database.exec(TABLES);
    this.commit();
  }

  #check(): void {
    if (!this.isEmpty && this.get('PRAGMA user_version')?.['user_version'] !== VERSION)
      throw new FolderError(`${this.path} is of another release; harvest again, into another folder`);
    const check = Object.values(this.get('PRAGMA quick_check(1)') ?? {});
    if (check[0] !== 'ok') throw this.damage(String(check[0]));
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** Result code of SQLite: another process has the lock. */
const BUSY = 5;

/** Result codes of SQLite for files that cannot be written: READONLY, IOERR, FULL, CANTOPEN. */
const NOT_WRITTEN = new Set([8, 10, 13, 14]);

/** Deletes a store, also what a killed process left of it. */
export function removeStore(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(path + suffix, { force: true });
}
