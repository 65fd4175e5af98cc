import { existsSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { WriteError } from '@archiefkast/system';
import { KINDS, type Kind, LANGUAGES, RECORD_FIELDS, type Supplement } from '@archiefkast/types';
import { z } from 'zod';
import { FolderError } from '../errors.ts';
import { type Fields, hashOfRecord } from './content-hash.ts';

/** Name of the store in the folder of a harvest. */
export const STORE_FILE = 'harvest.sqlite';
/** Name of the store of a running update. */
export const UPDATE_FILE = 'harvest-update.sqlite';

/** Version of the tables. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE walks (
    kind TEXT PRIMARY KEY, started_at TEXT NOT NULL, reason TEXT NOT NULL, tolerant INTEGER NOT NULL, finished_at TEXT,
    moved TEXT NOT NULL
  ) STRICT;
  CREATE TABLE pages (
    kind TEXT NOT NULL, page INTEGER NOT NULL, url TEXT NOT NULL, retrieved_at TEXT NOT NULL, count INTEGER NOT NULL,
    total INTEGER NOT NULL, next TEXT, edition TEXT, etag TEXT, moved TEXT NOT NULL, retries INTEGER NOT NULL,
    waited_ms REAL NOT NULL, records INTEGER NOT NULL, extra TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (kind, page)
  ) STRICT;
  CREATE TABLE records (
    kind TEXT NOT NULL, uuid TEXT NOT NULL, page INTEGER NOT NULL, hash BLOB NOT NULL
  ) STRICT;
  CREATE TABLE files (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT;
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

/** The usual ratio of compression: a buffer of this part of a page has room for it. */
const RATIO = 3;

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

/** A list of texts, as JSON. */
const texts = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)));

const kindWalkSchema = z.object({
  started_at: z.string(),
  /** Why the previous walk was abandoned; empty for the first. */
  reason: z.string(),
  /** Whether it continues if the archive changes: the previous one was abandoned for that. */
  tolerant: z.int().transform(Boolean),
  finished_at: z.string().nullable(),
  /** Inconsistencies at the end, as sentences. */
  moved: texts,
});

const pageSchema = z.object({
  page: z.int(),
  url: z.string(),
  retrieved_at: z.string(),
  count: z.int(),
  total: z.int(),
  next: z.string().nullable(),
  edition: z.string().nullable(),
  etag: z.string().nullable(),
  /** Changes of the archive at this page, as sentences. */
  moved: texts,
  /** Retries and milliseconds waited in this walk so far. */
  retries: z.int(),
  waited_ms: z.number(),
  /** Number of records. */
  records: z.int(),
  /** Length of the records as JSON lines. */
  bytes: z.int(),
});

/** A page without its records. */
export type PageFacts = z.infer<typeof pageSchema>;

/** A record in a store. */
export interface StoredRecord {
  /** In lower case. */
  uuid: string;
  /** The page that contains it. */
  page: number;
  hash: Uint8Array;
}

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
  }

  /**
   * Opens a store for writing; creates it if it is missing. What a killed process had not committed is gone. A path of `""` is
   * a temporary store.
   *
   * @throws FolderError if another process writes it, or it is damaged; WriteError
   */
  static open(path: string): HarvestStore {
    const store = new HarvestStore(path, true);
    try {
      store.#attempt(() => store.#begin());
    } catch (error) {
      store.#database.close();
      throw error;
    }
    return store;
  }

  /** Opens a store for reading; undefined if it is missing, or nothing was committed to it. @throws FolderError */
  static read(path: string): HarvestStore | undefined {
    if (!existsSync(path)) return undefined;
    using opened = new DisposableStack();
    const store = opened.use(new HarvestStore(path, false));
    if (store.#isEmpty()) return undefined;
    store.#attempt(() => store.#assertVersion());
    opened.move();
    return store;
  }

  /** The identity of the harvest; undefined before it has begun. */
  get walk(): Walk | undefined {
    const text = this.text('walk');
    return text === undefined ? undefined : this.#attempt(() => walkSchema.parse(JSON.parse(text)));
  }

  set walk(walk: Walk) {
    this.setText('walk', JSON.stringify(walk));
  }

  /** A text by its name; undefined if it is missing. */
  text(name: string): string | undefined {
    const row = this.#get('SELECT text FROM texts WHERE name = ?', name);
    return row && String(row['text']);
  }

  /** Stores a text, or removes it. */
  setText(name: string, text: string | undefined): void {
    if (text === undefined) this.#run('DELETE FROM texts WHERE name = ?', name);
    else this.#run('INSERT OR REPLACE INTO texts VALUES (?, ?)', name, text);
  }

  /** Starts the walk of a kind; an earlier one is removed. */
  begin(kind: Kind, reason: string, tolerant: boolean): void {
    for (const table of ['walks', 'pages', 'records']) this.#run(`DELETE FROM ${table} WHERE kind = ?`, kind);
    const started = new Date().toISOString();
    this.#run("INSERT INTO walks VALUES (?, ?, ?, ?, NULL, '[]')", kind, started, reason, Number(tolerant));
    this.commit();
  }

  /** Ends the walk of a kind. @param moved inconsistencies, as sentences */
  end(kind: Kind, moved: readonly string[] = []): void {
    const finished = new Date().toISOString();
    const set = 'UPDATE walks SET finished_at = ?, moved = ? WHERE kind = ?';
    this.#run(set, finished, JSON.stringify(moved), kind);
    this.commit();
  }

  /** The walk of a kind; undefined if it has not begun. */
  kindWalk(kind: Kind): z.infer<typeof kindWalkSchema> | undefined {
    const row = this.#get('SELECT * FROM walks WHERE kind = ?', kind);
    return row && this.#attempt(() => kindWalkSchema.parse(row));
  }

  /**
   * Adds a page.
   *
   * @param block the records as JSON lines; its memory is released
   */
  addPage(
    kind: Kind,
    facts: Omit<PageFacts, 'records' | 'bytes'>,
    records: readonly Fields[],
    block: Uint8Array,
  ): void {
    const known = RECORD_FIELDS[kind];
    const extra = new Set<string>();
    for (const record of records) {
      const fields = Object.keys(record);
      const isAsKnown = fields.length === known.length && fields.every((field, at) => field === known[at]);
      if (!isAsKnown) for (const field of fields) if (!known.includes(field)) extra.add(field);
      const uuid = String(record['uuid']).toLowerCase();
      this.#run('INSERT INTO records VALUES (?, ?, ?, ?)', kind, uuid, facts.page, hashOfRecord(record));
    }
    const chunkSize = Math.max(1024, Math.ceil(block.length / RATIO));
    const body = zstdCompressSync(block, { params: PACKING, chunkSize });
    const row: Record<string, SQLInputValue> = {
      kind,
      ...facts,
      moved: JSON.stringify(facts.moved),
      records: records.length,
      extra: JSON.stringify([...extra]),
      bytes: block.length,
      body,
    };
    const names = Object.keys(row);
    this.#run(
      `INSERT INTO pages (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(row),
    );
    free(body);
    free(block);
    if (Date.now() - this.#committedAt >= COMMIT_MS) this.commit();
  }

  /** The last page of a kind; undefined if none is stored. */
  lastPage(kind: Kind): PageFacts | undefined {
    const row = this.#get('SELECT * FROM pages WHERE kind = ? ORDER BY page DESC LIMIT 1', kind);
    return row && this.#attempt(() => pageSchema.parse(row));
  }

  /** Address and count of each page of a kind, in order. */
  *visited(kind: Kind): Generator<Pick<PageFacts, 'url' | 'count'>, void, void> {
    const select = 'SELECT url, count FROM pages WHERE kind = ? ORDER BY page';
    for (const { url, count } of this.#iterate(select, kind))
      yield { url: String(url), count: Number(count) };
  }

  /**
   * What the pages of a kind list, in order: changes of the archive, as sentences, or unknown fields of the records, which a
   * lenient harvest keeps.
   */
  listed(kind: Kind, column: 'moved' | 'extra'): string[] {
    const lists = `SELECT ${column} AS list FROM pages WHERE kind = ? AND list <> '[]' ORDER BY page`;
    return this.#attempt(() => [...this.#iterate(lists, kind)].flatMap(({ list }) => texts.parse(list)));
  }

  /**
   * The records of each page of a kind as JSON lines, in order; each block is valid until the next is requested.
   *
   * @throws FolderError if one is damaged
   */
  *blocks(kind: Kind): Generator<Buffer, void, void> {
    const next = 'SELECT page, bytes, body FROM pages WHERE kind = ? AND page > ? ORDER BY page LIMIT 1';
    let expected = 1;
    for (let row = this.#get(next, kind, 0); row; row = this.#get(next, kind, expected - 1)) {
      if (row['page'] !== expected) throw this.#damage(`page ${expected} of the ${kind} records is missing`);
      expected += 1;
      const block = this.#blockOf(row);
      yield block;
      free(block);
    }
  }

  /** A page of a kind, and its records as JSON lines. */
  page(kind: Kind, page: number): (PageFacts & { block: Buffer }) | undefined {
    const row = this.#get('SELECT * FROM pages WHERE kind = ? AND page = ?', kind, page);
    return row && this.#attempt(() => ({ ...pageSchema.parse(row), block: this.#blockOf(row) }));
  }

  /** The records of a kind, in order, without their content. */
  *records(kind: Kind): Generator<StoredRecord, void, void> {
    const select = 'SELECT uuid, page, hash FROM records WHERE kind = ? ORDER BY rowid';
    for (const { uuid, page, hash: digest } of this.#iterate(select, kind)) {
      yield { uuid: String(uuid), page: Number(page), hash: digest instanceof Uint8Array ? digest : EMPTY };
    }
  }

  /** Number of the records of a kind, and their bytes as JSON lines. */
  size(kind: Kind): { records: number; bytes: number } {
    const sums = 'SELECT sum(records) AS records, sum(bytes) AS bytes FROM pages WHERE kind = ?';
    const { records, bytes } = this.#get(sums, kind) ?? {};
    return { records: Number(records ?? 0), bytes: Number(bytes ?? 0) };
  }

  /** Number of distinct uuids of the records of a kind. */
  uuids(kind: Kind): number {
    const count = 'SELECT count(DISTINCT uuid) AS uuids FROM records WHERE kind = ?';
    return Number(this.#get(count, kind)?.['uuids']);
  }

  /** What the records cannot say, by uuid. It was checked when it was received. */
  supplements(): ReadonlyMap<string, Supplement> {
    const lines = (this.text('supplement') ?? '').split('\n').filter(Boolean);
    return this.#attempt(() => {
      const all = lines.map((line): Supplement => JSON.parse(line));
      return new Map(all.map((supplement) => [supplement.uuid, supplement]));
    });
  }

  /** The files that were written from this store. */
  get files(): { name: string; sha256: string }[] {
    const rows = this.#iterate('SELECT name, sha256 FROM files');
    return [...rows].map(({ name, sha256 }) => ({ name: String(name), sha256: String(sha256) }));
  }

  /** Notes files, before they are put in place. */
  addFiles(files: readonly { name: string; sha256: string }[]): void {
    for (const { name, sha256 } of files)
      this.#run('INSERT OR REPLACE INTO files VALUES (?, ?)', name, sha256);
    this.commit();
  }

  /** Makes everything durable that was stored. @throws WriteError */
  commit(): void {
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
    this.#assertVersion();
    this.commit();
  }

  #isEmpty(): boolean {
    return this.#get('SELECT count(*) AS tables FROM sqlite_schema')?.['tables'] === 0;
  }

  #assertVersion(): void {
    if (this.#get('PRAGMA user_version')?.['user_version'] !== VERSION)
      throw new FolderError(`${this.path} is of another release; harvest again, into another folder`);
    const check = Object.values(this.#get('PRAGMA quick_check(1)') ?? {});
    if (check[0] !== 'ok') throw this.#damage(String(check[0]));
  }

  #blockOf({ page, bytes, body }: Record<string, unknown>): Buffer {
    return this.#attempt(() => {
      const packed = body instanceof Uint8Array ? body : EMPTY;
      const block = zstdDecompressSync(packed, { chunkSize: Math.max(64, Number(bytes) + 1) });
      free(packed);
      if (block.length !== bytes) throw new Error(`page ${page} has changed`);
      return block;
    });
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

  /** Rows of a statement of its own: two can be read in turn. */
  #iterate(sql: string, ...values: SQLInputValue[]) {
    return this.#attempt(() => this.#database.prepare(sql)).iterate(...values);
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

const EMPTY = new Uint8Array();

/** Releases memory immediately, except in Node's pool: external memory makes garbage collection run more often. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

/** Result code of SQLite: another process has the lock. */
const BUSY = 5;

/** Result codes of SQLite for files that cannot be written: READONLY, IOERR, FULL, CANTOPEN. */
const NOT_WRITTEN = new Set([8, 10, 13, 14]);

/** Deletes a store, also what a killed process left of it. */
export async function removeStore(path: string): Promise<void> {
  for (const suffix of ['-wal', '-shm', '-journal', '']) await rm(path + suffix, { force: true });
}

/** The fields that must be equal to resume a harvest; without `from`, however it is harvested. */
type WalkIdentity = Pick<Walk, 'source' | 'language' | 'kinds'> & Partial<Pick<Walk, 'from'>>;

/**
 * Checks that a folder contains the requested harvest.
 *
 * @throws FolderError naming the difference
 */
export function assertSameWalk(folder: string, existing: WalkIdentity, requested: WalkIdentity): void {
  for (const name of ['source', 'language', 'kinds'] as const) {
    const before = String(existing[name]);
    const now = String(requested[name]);
    if (before === now) continue;
    throw new FolderError(
      `${folder} contains a harvest with ${name} ${before}, not ${now}; harvest into another folder`,
    );
  }
  const isSameWay = requested.from === 'changes' || existing.from === requested.from;
  if (requested.from !== undefined && !isSameWay) {
    throw new FolderError(
      `${folder} contains an unfinished harvest from ${existing.from}; finish it the same way, or harvest into another folder`,
    );
  }
}
