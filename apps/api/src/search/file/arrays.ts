import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { byteLengthOf, Cache } from '../../cache.ts';
import type { Relation } from '../fields/relations.ts';
import { isBytes } from './postings.ts';

/** References between records: parallel arrays of rows (from 0) within their kinds. */
export interface Pairs {
  sources: Uint32Array<ArrayBuffer>;
  targets: Uint32Array<ArrayBuffer>;
}

/** Writes named arrays of numbers into an index file, replacing existing ones. */
export class ArrayWriter {
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT OR REPLACE INTO array (name, bytes) VALUES (?, ?)');
  }

  write(name: string, { buffer, byteOffset, byteLength }: Uint32Array | Float64Array): void {
    this.#insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  }

  writePairs({ name }: Relation, { sources, targets }: Pairs): void {
    this.write(`${name} source`, sources);
    this.write(`${name} target`, targets);
  }
}

/** The arrays of an index file, read on demand and cached. */
export class Arrays {
  readonly #select: StatementSync;
  readonly #words: Cache<Uint32Array<ArrayBuffer>>;
  readonly #doubles: Cache<Float64Array>;

  /** @param cacheBytes size limit of the cache */
  constructor(database: DatabaseSync, cacheBytes: number) {
    this.#select = database.prepare('SELECT bytes FROM array WHERE name = ?');
    this.#words = new Cache<Uint32Array<ArrayBuffer>>(cacheBytes / 2, byteLengthOf);
    this.#doubles = new Cache<Float64Array>(cacheBytes / 2, byteLengthOf);
  }

  /** Size of the cached arrays in bytes. */
  get byteLength(): number {
    return this.#words.byteLength + this.#doubles.byteLength;
  }

  /** An array of 32-bit integers. */
  words(name: string): Uint32Array<ArrayBuffer> {
    return this.#words.get(name, () => new Uint32Array(this.#read(name)));
  }

  /** An array of floating-point numbers. */
  doubles(name: string): Float64Array {
    return this.#doubles.get(name, () => new Float64Array(this.#read(name)));
  }

  /** The references of a relation. */
  pairs({ name }: Relation): Pairs {
    return { sources: this.words(`${name} source`), targets: this.words(`${name} target`) };
  }

  #read(name: string): ArrayBuffer {
    const bytes = this.#select.get(name)?.['bytes'];
    return isBytes(bytes) ? bytes.buffer : new ArrayBuffer(0);
  }
}
