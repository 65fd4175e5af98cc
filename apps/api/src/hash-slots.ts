import { freeArray } from './number-list.ts';

/**
 * Finds numbered keys by their hash: an open-addressing table of the numbers, which takes 8 to 16 bytes per key. The keys
 * are with the owner, who knows which one is sought.
 */
export class HashSlots {
  readonly #hashOf: (number: number) => number;
  readonly #isSought: (number: number) => boolean;
  /** The number in each slot, plus 1; 0 if the slot is free. At most half are used. */
  #slots = new Uint32Array(2048);
  #size = 0;

  /**
   * @param hashOf the hash of the key with a number, as an unsigned 32-bit integer
   * @param isSought whether the key with a number is the sought one
   */
  constructor(hashOf: (number: number) => number, isSought: (number: number) => boolean) {
    this.#hashOf = hashOf;
    this.#isSought = isSought;
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** The number of the sought key, by its hash; undefined if it was not added. */
  find(hash: number): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return undefined;
      if (this.#isSought(number)) return number;
    }
  }

  /** Adds a number, whose key was not added before. */
  add(number: number): void {
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) {
      const known = this.#slots;
      this.#slots = new Uint32Array(known.length * 2);
      for (const each of known) if (each > 0) this.#put(each - 1);
      freeArray(known);
    }
    this.#put(number);
  }

  #put(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashOf(number) & mask;
    while (this.#slots[slot]) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}
