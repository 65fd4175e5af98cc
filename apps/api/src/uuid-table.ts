/** 32-bit words per UUID. */
const WORDS = 4;

const HYPHEN = '-'.charCodeAt(0);

/**
 * Numbers UUIDs in order of insertion: 0, 1, 2 … An open-addressing hash table over their words, which takes about 32
 * bytes per UUID; a Map of strings takes 130.
 */
export class UuidTable {
  #words = new Uint32Array(1024 * WORDS);
  /** Number of the UUID in each slot, plus 1; 0 if the slot is free. At most half are used. */
  #slots = new Uint32Array(2048);
  #size = 0;
  readonly #sought = new Uint32Array(WORDS);

  get size(): number {
    return this.#size;
  }

  /** Adds a UUID, with hyphens; false if it is a duplicate. */
  add(uuid: string): boolean {
    const { size } = this;
    return this.numberOf(uuid) === size;
  }

  /** The number of a UUID, which is added if missing. */
  numberOf(uuid: string): number {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow();
    readUuid(uuid, this.#sought);
    const slot = this.#slotOf(this.#sought, 0);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    this.#words.set(this.#sought, this.#size * WORDS);
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return this.#size - 1;
  }

  /** The number of a UUID; undefined if missing. */
  find(uuid: string): number | undefined {
    readUuid(uuid, this.#sought);
    const number = this.#slots[this.#slotOf(this.#sought, 0)] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** The UUID with a number. */
  at(number: number): string {
    const words = this.#words.subarray(number * WORDS, (number + 1) * WORDS);
    const hex = Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** The slot of the UUID at `offset` of `words`, or the free slot for it. */
  #slotOf(words: Uint32Array, offset: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(words, offset) & mask;
    for (let number = this.#slots[slot] ?? 0; number !== 0; number = this.#slots[slot] ?? 0) {
      if (areSame(this.#words, (number - 1) * WORDS, words, offset)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    words.set(this.#words);
    this.#words = words;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number += 1) {
      this.#slots[this.#slotOf(words, number * WORDS)] = number + 1;
    }
  }
}

/** Parses the 32 digits of a UUID, case-insensitively, skipping hyphens. */
function readUuid(uuid: string, words: Uint32Array): void {
  let word = 0;
  let digits = 0;
  for (let at = 0; at < uuid.length; at += 1) {
    const code = uuid.charCodeAt(at);
    if (code === HYPHEN) continue;
    // In ASCII, the low four bits of a digit are its value; those of a letter, in either case, start at 1.
    word = (word << 4) | ((code & 0xf) + (code > 0x39 ? 9 : 0));
    digits += 1;
    if (digits % 8 === 0) words[digits / 8 - 1] = word;
  }
}

function areSame(some: Uint32Array, from: number, others: Uint32Array, offset: number): boolean {
  for (let word = 0; word < WORDS; word += 1) {
    if (some[from + word] !== others[offset + word]) return false;
  }
  return true;
}

/** FNV-1a over the four words, mixed, because hand-written UUIDs differ only in their last digits. */
function hash(words: Uint32Array, offset: number): number {
  let mixed = 0x811c9dc5;
  for (let word = 0; word < WORDS; word += 1) {
    mixed = Math.imul(mixed ^ (words[offset + word] ?? 0), 0x01000193);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
