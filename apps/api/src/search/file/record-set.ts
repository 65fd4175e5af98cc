import { VarintReader, VarintWriter } from './varints.ts';

/** Maximum number of records of a chunk: they are numbered from 0. */
export const CHUNK_RECORDS = 2 ** 15;

/** The records of a set while it is encoded. */
const LISTED = new Uint16Array(CHUNK_RECORDS);

/** The first byte of a bitmap: other sets start with at least 1. */
const BITMAP = 0;

/**
 * A set of the records of a chunk. It is stored as the difference of each number to the one before (-1 at first), in varints; or as
 * a bitmap, if that is shorter: the byte 0 and words of 32 bits, in the byte order of the machine.
 */
export class RecordSet {
  readonly #words = new Uint32Array(CHUNK_RECORDS / 32);
  readonly #bytes = new Uint8Array(this.#words.buffer);

  /** A bit for each record, from 0: for loops over many records, in which a call or a list of them would take most of the time. */
  get bits(): Readonly<Uint32Array> {
    return this.#words;
  }

  /** Number of records. */
  get size(): number {
    let size = 0;
    for (let at = 0; at < this.#words.length; at++) size += bitsIn(this.#words[at] ?? 0);
    return size;
  }

  has(record: number): boolean {
    return (((this.#words[record >> 5] ?? 0) >>> (record & 31)) & 1) === 1;
  }

  add(record: number): void {
    this.#words[record >> 5] = (this.#words[record >> 5] ?? 0) | (1 << (record & 31));
  }

  /** Adds the records of a stored set. */
  addAll(stored: Uint8Array): this {
    if (stored[0] === BITMAP) {
      for (let at = 1; at < stored.length; at++)
        this.#bytes[at - 1] = (this.#bytes[at - 1] ?? 0) | (stored[at] ?? 0);
      return this;
    }
    eachDifference(stored, (record) => this.add(record));
    return this;
  }

  /** Keeps only the records that are also in another set. */
  keepAllIn(other: RecordSet): void {
    for (let at = 0; at < this.#words.length; at++)
      this.#words[at] = (this.#words[at] ?? 0) & (other.#words[at] ?? 0);
  }

  /** Removes the records of another set. */
  removeAll(other: RecordSet): void {
    for (let at = 0; at < this.#words.length; at++)
      this.#words[at] = (this.#words[at] ?? 0) & ~(other.#words[at] ?? 0);
  }

  clear(): void {
    this.#words.fill(0);
  }

  /** Writes the records into a list, ascending. @returns their number */
  list(into: Uint16Array): number {
    return listBits(this.#words, into);
  }

  /** The records, to be stored; null for none. */
  get stored(): Uint8Array<ArrayBuffer> | null {
    const length = this.list(LISTED);
    const writer = new RecordSetWriter();
    for (let at = 0; at < length; at++) writer.write(LISTED[at] ?? 0);
    return length === 0 ? null : writer.stored;
  }

  /** The bitmap of records up to a number, to be stored. */
  bitmap(last: number): Uint8Array<ArrayBuffer> {
    const stored = new Uint8Array(lengthOfBitmap(last));
    stored.set(this.#bytes.subarray(0, stored.length - 1), 1);
    return stored;
  }
}

/** Writes the records of a stored set into a list, ascending. @returns their number */
export function listStored(stored: Uint8Array, into: Uint16Array): number {
  if (stored[0] === BITMAP) return new RecordSet().addAll(stored).list(into);
  let length = 0;
  eachDifference(stored, (record) => {
    into[length++] = record;
  });
  return length;
}

/** Writes a stored set. */
export class RecordSetWriter {
  readonly #differences = new VarintWriter();
  #last = -1;

  get isEmpty(): boolean {
    return this.#last < 0;
  }

  /** @param record higher than the one before */
  write(record: number): void {
    this.#differences.write(record - this.#last);
    this.#last = record;
  }

  /** The set of what was written, until `clear`. */
  get stored(): Uint8Array<ArrayBuffer> {
    const { bytes } = this.#differences;
    return bytes.length <= lengthOfBitmap(this.#last)
      ? bytes
      : new RecordSet().addAll(bytes).bitmap(this.#last);
  }

  /** Starts another set. */
  clear(): void {
    this.#differences.clear();
    this.#last = -1;
  }
}

function eachDifference(stored: Uint8Array, onRecord: (record: number) => void): void {
  const differences = new VarintReader();
  differences.open(stored);
  for (let record = -1; !differences.isAtEnd; ) {
    record += differences.read();
    onRecord(record);
  }
}

function lengthOfBitmap(last: number): number {
  return 1 + 4 * ((last >> 5) + 1);
}

/** Writes the numbers of the bits that are set, from 0, into a list, ascending. @returns their number */
export function listBits(words: Uint32Array, into: Uint16Array | Uint32Array): number {
  let length = 0;
  for (let at = 0; at < words.length; at++) {
    for (let word = words[at] ?? 0; word !== 0; word &= word - 1)
      into[length++] = (at << 5) + lowestBit(word);
  }
  return length;
}

/** The number of the lowest bit that is set. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Number of bits that are set: Warren, Hacker's Delight (2013), 5-1. */
export function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
