import { HashSlots } from './hash-slots.ts';
import { freeArray } from './number-list.ts';

/** 32-bit words per UUID. */
const WORDS = 4;

const HYPHEN = '-'.charCodeAt(0);

/**
 * Numbers UUIDs in order of insertion: 0, 1, 2 … It takes about 32 bytes per UUID; a Map of strings takes 130.
 */
export class UuidTable {
  #words = new Uint32Array(1024 * WORDS);
  readonly #sought = new Uint32Array(WORDS);
  readonly #slots = new HashSlots(
    (number) => hash(this.#words, number * WORDS),
    (number) => areSame(this.#words, number * WORDS, this.#sought),
  );

  get size(): number {
    return this.#slots.size;
  }

  /** Adds a UUID, with hyphens; false if it is a duplicate. */
  add(uuid: string): boolean {
    const { size } = this;
    return this.numberOf(uuid) === size;
  }

  /** The number of a UUID, which is added if missing. */
  numberOf(uuid: string): number {
    const known = this.find(uuid);
    if (known !== undefined) return known;
    const number = this.size;
    if ((number + 1) * WORDS > this.#words.length) {
      const words = new Uint32Array(this.#words.length * 2);
      words.set(this.#words);
      freeArray(this.#words);
      this.#words = words;
    }
    this.#words.set(this.#sought, number * WORDS);
    this.#slots.add(number);
    return number;
  }

  /** The number of a UUID; undefined if missing. */
  find(uuid: string): number | undefined {
    readUuid(uuid, this.#sought);
    return this.#slots.find(hash(this.#sought, 0));
  }

  /** The UUID with a number. */
  at(number: number): string {
    const words = this.#words.subarray(number * WORDS, (number + 1) * WORDS);
    const hex = Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
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

function areSame(words: Uint32Array, offset: number, sought: Uint32Array): boolean {
  for (let word = 0; word < WORDS; word += 1) {
    if (words[offset + word] !== sought[word]) return false;
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
