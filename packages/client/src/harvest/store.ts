import { existsSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { WriteError } from '@archiefkast/system';
import { KINDS, type Kind, LANGUAGES, type Supplement } from '@archiefkast/types';
import { type Fields, RECORD_FIELDS } from '@archiefkast/types/internal';
import { z } from 'zod';
import { FolderError } from '../errors.ts';
import { hashOfRecord } from './content-hash.ts';

/** Name of the store in the folder of a harvest. */
export const STORE_FILE = 'harvest.sqlite';

const VERSION = 2;

const TABLES = `
  CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE pages (
    kind TEXT NOT NULL, page INTEGER NOT NULL, facts TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (kind, page)
  ) STRICT;
  CREATE TABLE records (kind TEXT NOT NULL, uuid TEXT NOT NULL, page INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/** Fast compression in little memory, with a checksum: pages are small, and repeat long strings at short distances. */
const PACKING = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_minMatch]: 7,
  [constants.ZSTD_c_hashLog]: 13,
  [constants.ZSTD_c_windowLog]: 17,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Interval of commits, in milliseconds; pages that are lost with a process are fetched again. */
const COMMIT_MS = 100;

/** File systems of a network (NFS, SMB), which cannot share the memory of a write-ahead log; from `statfs`. */
const NETWORKS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

const walkSchema = z.strictObject({
  /** The base URL. */
  source: z.string(),
  language: z.enum(LANGUAGES),
  kinds: z.array(z.enum(KINDS)),
  /** How it is harvested. */
  from: z.enum(['pages', 'dumps', 'changes']),
  /** Edition of the harvest that the changes are merged into. */
  since: z.string().optional(),
  /** Edition that all walks are pinned to, if the server supports that. */
  edition: z.string().nullable(),
  started_at: z.string(),
});

/** The identity of a harvest. */
export type Walk = z.infer<typeof walkSchema>;

const kindWalkSchema = z.strictObject({
  /** Why the previous walk was abandoned; empty for the first. */
  reason: z.string(),
  /** Whether it continues if the archive changes: the previous one was abandoned for that. */
  tolerant: z.boolean(),
  finished_at: z.string().nullable(),
  /** Inconsistencies at the end, as sentences. */
  moved: z.array(z.string()),
});

type KindWalk = z.infer<typeof kindWalkSchema>;

const pageSchema = z.strictObject({
  page: z.int(),
  url: z.string(),
  retrieved_at: z.string(),
  count: z.int(),
  total: z.int(),
  next: z.string().nullable(),
  edition: z.string().nullable(),
  etag: z.string().nullable(),
  /** Changes of the archive at this page, as sentences. */
  moved: z.array(z.string()),
  /** Unknown fields of its records, which a lenient harvest keeps. */
  extra: z.array(z.string()),
  /** Records, retries and milliseconds waited in this walk so far. */
  records: z.int(),
  retries: z.int(),
  waited_ms: z.number(),
});

/** A page without its records. */
export type PageFacts = z.infer<typeof pageSchema>;

const filesSchema = z.array(z.strictObject({ name: z.string(), sha256: z.string() }));

type WrittenFiles = z.infer<typeof filesSchema>;

/** The store of a harvest: one SQLite file with the pages as received. */
export class HarvestStore implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #isWritable: boolean;
  readonly #statements = new Map<string, StatementSync>();
  #committedAt = 0;

  private constructor(path: string, isWritable: boolean) {
    this.path = path;
    this.#isWritable = isWritable;
    this.#database = this.#attempt(() => new DatabaseSync(path, { readOnly: !isWritable, timeout: 0 }));
    try {
      this.#attempt(() => {
        if (isWritable) this.#begin();
        this.#check();
      });
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Opens a store for writing; creates it if it is missing. What a killed process had not committed is gone. `""` is a temporary store.
   *
   * @throws FolderError if another process writes it, or it is damaged; WriteError
   */
  static open(path: string): HarvestStore {
    return new HarvestStore(path, true);
  }

  /** Opens a store for reading; undefined if it is missing, or nothing was committed to it. @throws FolderError */
  static read(path: string): HarvestStore | undefined {
    if (!existsSync(path)) return undefined;
    const store = new HarvestStore(path, false);
    if (!store.#isEmpty()) return store;
    store.#database.close();
    return undefined;
  }

  /** The identity of the harvest; undefined before it has begun. */
  get walk(): Walk | undefined {
    return this.#parsed(this.text('walk'), walkSchema);
  }

  set walk(walk: Walk) {
    this.#save('walk', walk);
  }

  /** A text by its name; undefined if it is missing. */
  text(name: string): string | undefined {
    return this.#get('SELECT text FROM texts WHERE name = ?', name)?.['text']?.toString();
  }

  /** Stores a text, or removes it. */
  setText(name: string, text: string | undefined): void {
    if (text === undefined) this.#run('DELETE FROM texts WHERE name = ?', name);
    else this.#run('INSERT OR REPLACE INTO texts VALUES (?, ?)', name, text);
  }

  /** Starts the walk of a kind; an earlier one is removed. */
  begin(kind: Kind, reason = '', tolerant = false): void {
    for (const table of ['pages', 'records']) this.#run(`DELETE FROM ${table} WHERE kind = ?`, kind);
    this.#save(kind, { reason, tolerant, finished_at: null, moved: [] });
  }

  /** Ends the walk of a kind. @param moved inconsistencies, as sentences */
  end(kind: Kind, moved: string[]): void {
    const begun = this.kindWalk(kind) ?? { reason: '', tolerant: false };
    this.#save(kind, { ...begun, finished_at: new Date().toISOString(), moved });
  }

  /** The walk of a kind; undefined if it has not begun. */
  kindWalk(kind: Kind): KindWalk | undefined {
    return this.#parsed(this.text(kind), kindWalkSchema);
  }

  /**
   * Adds a page.
   *
   * @param block the records as JSON lines; its memory is released
   */
  addPage(kind: Kind, page: Omit<PageFacts, 'extra'>, records: readonly Fields[], block: Uint8Array): void {
    const known = new Set<string>(RECORD_FIELDS[kind]);
    const extra = new Set<string>();
    for (const record of records) {
      for (const field of Object.keys(record)) if (!known.has(field)) extra.add(field);
      const uuid = String(record['uuid']).toLowerCase();
      this.#run('INSERT INTO records VALUES (?, ?, ?, ?)', kind, uuid, page.page, hashOfRecord(record));
    }
    const facts = JSON.stringify({ ...page, extra: [...extra] });
    // Room for the usual ratio of compression.
    const chunkSize = Math.max(1024, Math.ceil(block.length / 3));
    const body = zstdCompressSync(block, { params: PACKING, chunkSize });
    this.#run('INSERT INTO pages VALUES (?, ?, ?, ?, ?)', kind, page.page, facts, block.length, body);
    free(body);
    free(block);
    if (Date.now() - this.#committedAt >= COMMIT_MS) this.#commit();
  }

  /** The last page of a kind, or the last up to a number; undefined if none is stored. */
  lastPage(kind: Kind, most = Number.MAX_SAFE_INTEGER): PageFacts | undefined {
    const select = 'SELECT facts FROM pages WHERE kind = ? AND page <= ? ORDER BY page DESC LIMIT 1';
    return this.#parsed(this.#get(select, kind, most)?.['facts'], pageSchema);
  }

  /** What the pages of a kind list, in order: changes of the archive, or unknown fields. */
  listed(kind: Kind, name: 'moved' | 'extra'): string[] {
    const lists = 'SELECT value FROM pages, json_each(facts, ?) WHERE kind = ? ORDER BY page';
    const rows = this.#attempt(() => this.#prepare(lists).all(`$.${name}`, kind));
    return rows.map(({ value }) => String(value));
  }

  /** The records of a page as JSON lines. @throws FolderError if they are missing or damaged */
  block(kind: Kind, page: number): Buffer {
    const row = this.#get('SELECT bytes, body FROM pages WHERE kind = ? AND page = ?', kind, page);
    if (!(row?.['body'] instanceof Uint8Array))
      throw this.#damage(`page ${page} of the ${kind} records is missing`);
    const { bytes, body } = row;
    return this.#attempt(() => {
      const block = zstdDecompressSync(body, { chunkSize: Math.max(64, Number(bytes) + 1) });
      free(body);
      if (block.length !== bytes) throw new Error(`page ${page} has changed`);
      return block;
    });
  }

  /** The blocks of all pages of a kind, in order; each is valid until the next is requested. @throws FolderError */
  *blocks(kind: Kind): Generator<Buffer, void, void> {
    const last = this.lastPage(kind)?.page ?? 0;
    for (let page = 1; page <= last; page += 1) {
      const block = this.block(kind, page);
      yield block;
      free(block);
    }
  }

  /** The records of a kind, in order. @throws FolderError */
  *contents(kind: Kind): Generator<Fields, void, void> {
    for (const block of this.blocks(kind)) yield* recordsOf(block);
  }

  /** Length of all records of a kind as JSON lines. */
  bytes(kind: Kind): number {
    return Number(this.#get('SELECT sum(bytes) AS bytes FROM pages WHERE kind = ?', kind)?.['bytes'] ?? 0);
  }

  /** The records of a kind, in order, without their content: uuid in lower case, page and hash. */
  *records(kind: Kind): Generator<{ uuid: string; page: number; hash: Uint8Array }, void, void> {
    const select = 'SELECT uuid, page, hash FROM records WHERE kind = ? ORDER BY rowid';
    // A statement of its own: two can be read in turn.
    const statement = this.#attempt(() => this.#database.prepare(select));
    for (const { uuid, page, hash: found } of statement.iterate(kind)) {
      const digest = found instanceof Uint8Array ? found : new Uint8Array();
      yield { uuid: String(uuid), page: Number(page), hash: digest };
    }
  }

  /** What the records cannot say, by uuid. It was checked when it was received. */
  supplements(): ReadonlyMap<string, Supplement> {
    const lines = (this.text('supplement') ?? '').split('\n').filter(Boolean);
    const all = this.#attempt(() => lines.map((line): Supplement => JSON.parse(line)));
    return new Map(all.map((supplement) => [supplement.uuid, supplement]));
  }

  /** The files that were made of it. */
  get files(): WrittenFiles {
    return this.#parsed(this.text('files'), filesSchema) ?? [];
  }

  set files(files: Readonly<WrittenFiles>) {
    this.#save(
      'files',
      files.map(({ name, sha256 }) => ({ name, sha256 })),
    );
  }

  /** Notes files, before they are put in place. */
  addFiles(files: Readonly<WrittenFiles>): void {
    const all = new Map([...this.files, ...files].map((file) => [file.name, file]));
    this.files = [...all.values()];
  }

  #save(name: string, value: Walk | KindWalk | WrittenFiles): void {
    this.setText(name, JSON.stringify(value));
    this.#commit();
  }

  /** Makes everything durable that was stored. @throws WriteError */
  #commit(): void {
    this.#attempt(() => this.#database.exec('COMMIT; BEGIN IMMEDIATE'));
    this.#committedAt = Date.now();
  }

  /** Commits, and leaves one file. @throws WriteError */
  [Symbol.dispose](): void {
    if (!this.#database.isOpen) return;
    try {
      if (this.#isWritable && this.#database.isTransaction)
        this.#attempt(() => this.#database.exec('COMMIT; PRAGMA journal_mode = DELETE'));
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
    if (this.#isEmpty()) this.#database.exec(TABLES);
    this.#commit();
  }

  #isEmpty(): boolean {
    return this.#get('SELECT count(*) AS tables FROM sqlite_schema')?.['tables'] === 0;
  }

  #check(): void {
    if (!this.#isEmpty() && this.#get('PRAGMA user_version')?.['user_version'] !== VERSION)
      throw new FolderError(`${this.path} is of another release; harvest again, into another folder`);
    const check = Object.values(this.#get('PRAGMA quick_check(1)') ?? {});
    if (check[0] !== 'ok') throw this.#damage(String(check[0]));
  }

  #parsed<Value>(text: unknown, schema: z.ZodType<Value>): Value | undefined {
    return text === undefined ? undefined : this.#attempt(() => schema.parse(JSON.parse(String(text))));
  }

  /** Writes; after a failure the store is closed, so that no page is stored in part. */
  #run(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#attempt(() => this.#prepare(sql).run(...values));
    } catch (error) {
      if (this.#database.isOpen) this.#database.close();
      throw error;
    }
  }

  #get(sql: string, ...values: SQLInputValue[]) {
    return this.#attempt(() => this.#prepare(sql).get(...values));
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** Runs work; errors of SQLite and invalid values become errors of the folder. */
  #attempt<Result>(work: () => Result): Result {
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
      throw this.#damage(error instanceof Error ? error.message : String(error), error);
    }
  }

  #damage(what: string, cause?: unknown): FolderError {
    return new FolderError(
      `${this.path} is damaged (${what}); delete it and harvest again, or harvest into another folder`,
      { cause },
    );
  }
}

/** The records of a block of JSON lines. */
export function recordsOf<Item extends object = Fields>(block: Buffer): Item[] {
  const records: Item[] = [];
  // Line by line: the text of a whole page can be megabytes.
  for (let begin = 0; begin < block.length; ) {
    const end = block.indexOf('\n', begin);
    records.push(JSON.parse(block.toString('utf8', begin, end)));
    begin = end + 1;
  }
  return records;
}

/** Records as a block of JSON lines. */
export function linesOf(records: readonly object[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** Releases memory immediately, except in Node's pool: external memory makes garbage collection run more often. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

/** Result code of SQLite: another process has the lock. */
const BUSY = 5;

/** Result codes of SQLite for files that cannot be written: READONLY, IOERR, FULL, CANTOPEN. */
const NOT_WRITTEN = new Set([8, 10, 13, 14]);

/** Deletes a store, also what a killed process left of it. */
export function removeStore(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(path + suffix, { force: true });
}
