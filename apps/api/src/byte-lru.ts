import { LRUCache } from 'lru-cache';

/** Keeps the values used last, up to a number of bytes in all. A value larger than that is not kept. */
export class ByteLru<Value extends { byteLength: number }> {
  readonly #values: LRUCache<string, Value>;

  /** @param limit bytes that the values may take together */
  constructor(limit: number) {
    this.#values = new LRUCache({
      // 0 would be no limit, and a size of 0 is refused.
      maxSize: Math.max(Math.floor(limit), 1),
      sizeCalculation: ({ byteLength }) => Math.max(byteLength, 1),
    });
  }

  /** Bytes that the values take together. */
  get byteLength(): number {
    return this.#values.calculatedSize;
  }

  /** The value kept under `key`, or a new one that is then kept. */
  get(key: string, make: () => Value): Value {
    const kept = this.find(key);
    if (kept) return kept;
    const value = make();
    this.keep(key, value);
    return value;
  }

  /** The value kept under `key`, which counts as used. */
  find(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Drops what is kept under keys that begin so. */
  dropAll(prefix: string): void {
    for (const key of [...this.#values.keys()]) if (key.startsWith(prefix)) this.#values.delete(key);
  }

  /** Keeps a value in the place of the one before, and drops those not used for longest to make room. */
  keep(key: string, value: Value): void {
    this.#values.set(key, value);
  }
}
