import { LRUCache } from 'lru-cache';
import { SharedWork } from './shared-work.ts';

/** A cache bounded in bytes: it evicts the least recently used values. One larger than the whole cache is not kept. */
export class Cache<Value extends object | string> {
  readonly #values: LRUCache<string, Value>;
  readonly #making = new SharedWork<Value>();

  /**
   * @param limit bytes that the values may take together
   * @param sizeOf bytes that a value takes, with its key where that counts
   */
  constructor(limit: number, sizeOf: (value: Value, key: string) => number) {
    this.#values = new LRUCache({
      // 0 would be no limit, and a size of 0 is refused.
      maxSize: Math.max(Math.floor(limit), 1),
      sizeCalculation: (value, key) => Math.max(sizeOf(value, key), 1),
    });
  }

  /** Bytes that the values take together. */
  get byteLength(): number {
    return this.#values.calculatedSize;
  }

  /** The value kept under `key`, or a new one that is then kept. */
  get(key: string, make: () => Value): Value {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    const value = make();
    this.keep(key, value);
    return value;
  }

  /** The same of what takes long: who asks meanwhile shares the work, and what failed is tried again. */
  async fetch(key: string, make: () => Promise<Value>): Promise<Value> {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    return await this.#making.run(key, async () => {
      const value = await make();
      this.keep(key, value);
      return value;
    });
  }

  /** The value kept under `key`, which counts as used. */
  find(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Drops what is kept under a key. */
  drop(key: string): void {
    this.#values.delete(key);
  }

  /** Drops what is kept under keys that begin so. */
  dropAll(prefix: string): void {
    for (const key of [...this.#values.keys()]) if (key.startsWith(prefix)) this.#values.delete(key);
  }

  /** Keeps a value in the place of the one before, and evicts others to make room. */
  keep(key: string, value: Value): void {
    this.#values.set(key, value);
  }
}

/** The size of values that know theirs. */
export function byteLengthOf({ byteLength }: { byteLength: number }): number {
  return byteLength;
}

const MEGABYTE = 2 ** 20;

/** What each cache beside that of answers may take, in bytes; docs/operations.md says what is in it. */
export const CACHE_LIMITS = {
  targets: 8 * MEGABYTE,
  codings: MEGABYTE,
  locations: 32 * MEGABYTE,
  cards: 16 * MEGABYTE,
  names: 8 * MEGABYTE,
  outlines: 8 * MEGABYTE,
  measurements: 8 * MEGABYTE,
  changes: 64 * MEGABYTE,
  decades: MEGABYTE,
  letters: MEGABYTE,
  documentation: 4 * MEGABYTE,
} as const;

/** The name of a cache. */
export type CacheName = 'answers' | keyof typeof CACHE_LIMITS;

/** The caches of a process: each is bounded, counted under its name, and forgets the editions that are not kept any more. */
export class Caches {
  readonly #caches = new Map<CacheName, Pick<Cache<never>, 'byteLength' | 'dropAll'>>();
  readonly #limits: Readonly<Record<CacheName, number>>;

  /** @param answers bytes that answers may take */
  constructor(answers = 0) {
    this.#limits = { ...CACHE_LIMITS, answers };
  }

  /** Opens a cache, once. Keys of what belongs to an edition begin with the edition's key and a space. */
  open<Value extends object | string>(
    name: CacheName,
    sizeOf: (value: Value, key: string) => number,
  ): Cache<Value> {
    const cache = new Cache(this.#limits[name], sizeOf);
    this.#caches.set(name, cache);
    return cache;
  }

  /** Bytes that each takes. */
  bytes(): [name: CacheName, bytes: number][] {
    return [...this.#caches].map(([name, { byteLength }]) => [name, byteLength]);
  }

  /** Drops what is kept of an edition that nobody asks for any more. */
  forget({ key }: { key: string }): void {
    for (const cache of this.#caches.values()) cache.dropAll(`${key} `);
  }
}
