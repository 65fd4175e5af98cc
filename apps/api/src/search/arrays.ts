import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ByteLru } from '../byte-lru.ts';

/** Writes arrays of numbers into an index file, under names. */
export class ArrayWriter {
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO array (name, bytes) VALUES (?, ?)');
  }

  write(name: string, { buffer, byteOffset, byteLength }: Uint32Array | Float64Array): void {
    this.#insert.run(name, new Uint8Array(buffer, byteOffset, byteLength));
  }
}

/** The arrays of an index file, read when they are asked for and kept while there is room. */
export class Arrays {
  readonly #select: StatementSync;
  readonly #words: ByteLru<Uint32Array>;
  readonly #doubles: ByteLru<Float64Array>;

  /** @param cacheBytes bytes that the arrays kept may take together */
  constructor(database: DatabaseSync, cacheBytes: number) {
    this.#select = database.prepare('SELECT bytes FROM array WHERE name = ?');
    this.#words = new ByteLru(cacheBytes / 2);
    this.#doubles = new ByteLru(cacheBytes / 2);
  }

  /** Whole numbers of 32 bits. */
  words(name: string): Uint32Array {
    return this.#words.get(name, () => new Uint32Array(this.#read(name)));
  }

  /** Floating-point numbers. */
  doubles(name: string): Float64Array {
    return this.#doubles.get(name, () => new Float64Array(this.#read(name)));
  }

  /** A copy, so that the numbers begin where the processor takes them. */
  #read(name: string): ArrayBuffer {
    const bytes = this.#select.get(name)?.['bytes'];
    const copy = new ArrayBuffer(bytes instanceof Uint8Array ? bytes.byteLength : 0);
    if (bytes instanceof Uint8Array) new Uint8Array(copy).set(bytes);
    return copy;
  }
}
