import { existsSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { forKinds, KINDS, type Kind, type Supplement } from '@archiefkast/types';
import { type Fields, RECORD_FIELDS } from '@archiefkast/types/internal';
import type { z } from 'zod';
import type { EventForm } from '../listing.ts';
import { hashOfRecord } from './content-hash.ts';
import { recordsOf } from './json-lines.ts';
import { StoreFile } from './store-file.ts';
import {
  filesSchema,
  type KindWalk,
  kindWalkSchema,
  type PageFacts,
  pageSchema,
  type Walk,
  type WrittenFiles,
  walkSchema,
} from './store-schema.ts';

/** Name of the store in the folder of a harvest. */
export const STORE_FILE = 'harvest.sqlite';

/** Fast compression in little memory, with a checksum: pages are small, and repeat long strings at short distances. */
const PACKING = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_minMatch]: 7,
  [constants.ZSTD_c_hashLog]: 13,
  [constants.ZSTD_c_windowLog]: 17,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** The fields of records in either form. */
const KNOWN_FIELDS = forKinds((kind) => [...RECORD_FIELDS[kind], ...(kind === 'event' ? ['subjects'] : [])]);

/** The store of a harvest: one SQLite file with the pages as received. */
export class HarvestStore implements Disposable {
  readonly #file: StoreFile;

  private constructor(file: StoreFile) {
    this.#file = file;
  }

  /**
   * Opens a store for writing; creates it if it is missing. What a killed process had not committed is gone. `""` is a temporary store.
   *
   * @throws FolderError if another process writes it, or it is damaged; WriteError
   */
  static open(path: string): HarvestStore {
    return new HarvestStore(new StoreFile(path, true));
  }

  /** Opens a store for reading; undefined if it is missing, or nothing was committed to it. @throws FolderError */
  static read(path: string): HarvestStore | undefined {
    if (!existsSync(path)) return undefined;
    const file = new StoreFile(path, false);
    if (!file.isEmpty) return new HarvestStore(file);
    file[Symbol.dispose]();
    return undefined;
  }

  get path(): string {
    return this.#file.path;
  }

  /** The identity of the harvest; undefined before it has begun. */
  get walk(): Walk | undefined {
    return this.#parsed(this.text('walk'), walkSchema);
  }

  set walk(walk: Walk) {
    this.#save('walk', walk);
  }

  /** How its events are written. */
  get events(): EventForm {
    return this.walk?.events ?? 'full';
  }

  /** A text by its name; undefined if it is missing. */
  text(name: string): string | undefined {
    return this.#file.get('SELECT text FROM texts WHERE name = ?', name)?.['text']?.toString();
  }

  /** Stores a text, or removes it. */
  setText(name: string, text: string | undefined): void {
    if (text === undefined) this.#file.run('DELETE FROM texts WHERE name = ?', name);
    else this.#file.run('INSERT OR REPLACE INTO texts VALUES (?, ?)', name, text);
  }

  /** Starts the walk of a kind; an earlier one is removed. */
  begin(kind: Kind, reason = '', tolerant = false): void {
    for (const table of ['pages', 'records']) this.#file.run(`DELETE FROM ${table} WHERE kind = ?`, kind);
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

  /** The kinds whose records it has. */
  get kinds(): Kind[] {
    return KINDS.filter((kind) => this.kindWalk(kind));
  }

  /**
   * Adds a page.
   *
   * @param block the records as JSON lines; its memory is released
   */
  addPage(kind: Kind, page: Omit<PageFacts, 'extra'>, records: readonly Fields[], block: Uint8Array): void {
    const known = new Set(KNOWN_FIELDS[kind]);
    const extra = new Set<string>();
    for (const record of records) {
      for (const field of Object.keys(record)) if (!known.has(field)) extra.add(field);
      const uuid = String(record['uuid']).toLowerCase();
      this.#file.run('INSERT INTO records VALUES (?, ?, ?, ?)', kind, uuid, page.page, hashOfRecord(record));
    }
    const facts = JSON.stringify({ ...page, extra: [...extra] });
    // Room for the usual ratio of compression.
    const chunkSize = Math.max(1024, Math.ceil(block.length / 3));
    const body = zstdCompressSync(block, { params: PACKING, chunkSize });
    this.#file.run('INSERT INTO pages VALUES (?, ?, ?, ?, ?)', kind, page.page, facts, block.length, body);
    free(body);
    free(block);
    this.#file.commitIfDue();
  }

  /** The last page of a kind, or the last up to a number; undefined if none is stored. */
  lastPage(kind: Kind, most = Number.MAX_SAFE_INTEGER): PageFacts | undefined {
    const select = 'SELECT facts FROM pages WHERE kind = ? AND page <= ? ORDER BY page DESC LIMIT 1';
    return this.#parsed(this.#file.get(select, kind, most)?.['facts'], pageSchema);
  }

  /** What the pages of a kind list, in order: changes of the archive, or unknown fields. */
  listed(kind: Kind, name: 'moved' | 'extra'): string[] {
    const lists = 'SELECT value FROM pages, json_each(facts, ?) WHERE kind = ? ORDER BY page';
    return this.#file.all(lists, `$.${name}`, kind).map(({ value }) => String(value));
  }

  /** The records of a page as JSON lines. @throws FolderError if they are missing or damaged */
  block(kind: Kind, page: number): Buffer {
    const row = this.#file.get('SELECT bytes, body FROM pages WHERE kind = ? AND page = ?', kind, page);
    if (!(row?.['body'] instanceof Uint8Array))
      throw this.#file.damage(`page ${page} of the ${kind} records is missing`);
    const { bytes, body } = row;
    return this.#file.attempt(() => {
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
    return Number(
      this.#file.get('SELECT sum(bytes) AS bytes FROM pages WHERE kind = ?', kind)?.['bytes'] ?? 0,
    );
  }

  /** The records of a kind, in order, without their content: uuid in lower case, page and hash. */
  *records(kind: Kind): Generator<{ uuid: string; page: number; hash: Uint8Array }, void, void> {
    const select = 'SELECT uuid, page, hash FROM records WHERE kind = ? ORDER BY rowid';
    for (const { uuid, page, hash: found } of this.#file.iterate(select, kind)) {
      const digest = found instanceof Uint8Array ? found : new Uint8Array();
      yield { uuid: String(uuid), page: Number(page), hash: digest };
    }
  }

  /** How many records of a kind there are, and how many of them are different ones. */
  count(kind: Kind): { rows: number; unique: number } {
    const counts = 'SELECT count(*) AS rows, count(DISTINCT uuid) AS uuids FROM records WHERE kind = ?';
    const { rows = 0, uuids = 0 } = this.#file.get(counts, kind) ?? {};
    return { rows: Number(rows), unique: Number(uuids) };
  }

  /** What the records cannot say, by uuid. It was checked when it was received. */
  supplements(): ReadonlyMap<string, Supplement> {
    const lines = (this.text('supplement') ?? '').split('\n').filter(Boolean);
    const all = this.#file.attempt(() => lines.map((line): Supplement => JSON.parse(line)));
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
    this.#file.commit();
  }

  /** Commits, and leaves one file. @throws WriteError */
  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #parsed<Value>(text: unknown, schema: z.ZodType<Value>): Value | undefined {
    return text === undefined ? undefined : this.#file.attempt(() => schema.parse(JSON.parse(String(text))));
  }
}

/** Releases memory immediately, except in Node's pool: external memory makes garbage collection run more often. */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
