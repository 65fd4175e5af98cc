/** Keeps the values used last, up to a number of bytes in all. A value larger than that is not kept. */
export class ByteLru<Value extends { byteLength: number }> {
  readonly #limit: number;
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  /** @param limit bytes that the values may take together */
  constructor(limit: number) {
    this.#limit = limit;
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
    const value = this.#values.get(key);
    if (value) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /** Keeps a value in the place of the one before, and drops those not used for longest to make room. */
  keep(key: string, value: Value): void {
    const before = this.#values.get(key);
    if (before) this.#drop(key, before);
    if (value.byteLength > this.#limit) return;
    for (const [oldest, other] of this.#values) {
      if (this.#bytes + value.byteLength <= this.#limit) break;
      this.#drop(oldest, other);
    }
    this.#values.set(key, value);
    this.#bytes += value.byteLength;
  }

  #drop(key: string, value: Value): void {
    this.#values.delete(key);
    this.#bytes -= value.byteLength;
  }
}
