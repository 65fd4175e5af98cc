import { LRUCache } from 'lru-cache';

/** A cache with a limit in bytes: it evicts the least recently used values. A value that exceeds the limit is not cached. */
export class Cache<Value extends object | string> {
  readonly #values: LRUCache<string, Value, () => Promise<Value>>;

  /**
   * @param limit total size of the values, in bytes
   * @param sizeOf size of a value, with its key if that matters
   */
  constructor(limit: number, sizeOf: (value: Value, key: string) => number) {
    this.#values = new LRUCache({
      // lru-cache takes a limit of 0 as no limit, and refuses a size of 0.
      maxSize: Math.max(Math.floor(limit), 1),
      sizeCalculation: (value, key) => Math.max(sizeOf(value, key), 1),
      fetchMethod: (_key, _stale, { context: make }) => make(),
      // A value whose place others took meanwhile is still awaited.
      ignoreFetchAbort: true,
    });
  }

  /** Total size of the values, in bytes. */
  get byteLength(): number {
    return this.#values.calculatedSize;
  }

  /** The cached value, or a new one that is then cached. */
  get(key: string, make: () => Value): Value {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    const value = make();
    this.keep(key, value);
    return value;
  }

  /** Like `get`, asynchronously: concurrent calls share the work, which begins at once; failures are not cached. */
  fetch(key: string, make: () => Promise<Value>): Promise<Value> {
    return this.#values.forceFetch(key, { context: make });
  }

  /** The cached value, which counts as used. */
  find(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Drops the values of all keys with a prefix. */
  dropAll(prefix: string): void {
    for (const key of [...this.#values.keys()]) if (key.startsWith(prefix)) this.#values.delete(key);
  }

  /** Caches a value in place of any earlier one, and evicts others if needed. */
  keep(key: string, value: Value): void {
    this.#values.set(key, value);
  }
}

/** The size of a value that is shared by concurrent calls, and not cached. */
export const TOO_LARGE = Number.MAX_SAFE_INTEGER;

/** The size of a value that has a `byteLength`. */
export function byteLengthOf({ byteLength }: { byteLength: number }): number {
  return byteLength;
}

const MEGABYTE = 2 ** 20;

/** The limit of each cache except `answers`, in bytes; docs/operations.md describes their contents. */
export const CACHE_LIMITS = {
  targets: 8 * MEGABYTE,
  codings: MEGABYTE,
  locations: 16 * MEGABYTE,
  cards: 16 * MEGABYTE,
  texts: 16 * MEGABYTE,
  names: 8 * MEGABYTE,
  blocks: 8 * MEGABYTE,
  supplements: MEGABYTE,
  changes: 64 * MEGABYTE,
  letters: MEGABYTE,
  timelines: 8 * MEGABYTE,
} as const;

/** The name of a cache. */
export type CacheName = 'answers' | keyof typeof CACHE_LIMITS;

/** The caches of a process: each has a limit, reports its size by name, and drops entries of editions no longer kept. */
export class Caches {
  readonly #caches = new Map<CacheName, Pick<Cache<never>, 'byteLength' | 'dropAll'>>();
  readonly #limits: Readonly<Record<CacheName, number>>;
  /** Keys of the editions that are no longer kept. */
  readonly #forgotten = new Set<string>();

  /** @param answers limit of the response cache, in bytes */
  constructor(answers = 0) {
    this.#limits = { ...CACHE_LIMITS, answers };
  }

  /** Opens a cache, once. Keys of entries of an edition start with the key of the edition and a space. */
  open<Value extends object | string>(
    name: CacheName,
    sizeOf: (value: Value, key: string) => number,
  ): Cache<Value> {
    const cache = new Cache<Value>(this.#limits[name], (value, key) =>
      this.#forgotten.has(key.split(' ', 1)[0] ?? '') ? TOO_LARGE : sizeOf(value, key),
    );
    this.#caches.set(name, cache);
    return cache;
  }

  /** Size of each cache, in bytes. */
  bytes(): [name: CacheName, bytes: number][] {
    return [...this.#caches].map(([name, { byteLength }]) => [name, byteLength]);
  }

  /** Drops the entries of an edition that is no longer kept, and keeps no more of them: a request may still be under way. */
  forget({ key }: { key: string }): void {
    this.#forgotten.add(key);
    for (const cache of this.#caches.values()) cache.dropAll(`${key} `);
  }
}
