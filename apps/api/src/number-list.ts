/** Numbers for which an empty list has room. */
const FEWEST = 1024;

/** The typed arrays of which a list may consist. */
type TypedArray = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Frees the memory of an array that is no longer used; the garbage collector leaves that of an old one for long. */
export function freeArray({ buffer }: { buffer: ArrayBuffer }): void {
  buffer.transfer(0);
}

/** How typed arrays of a type are created. */
interface NumbersType<Numbers> {
  new (length: number): Numbers;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Numbers;
}

/**
 * A list of numbers that grows. It takes the bytes of its type per number and at most as many that are free; an array
 * takes 8 and as many, which the garbage collector looks through.
 */
export class NumberList<Numbers extends TypedArray = TypedArray> {
  readonly #type: NumbersType<Numbers>;
  #numbers: Numbers;
  #length = 0;

  /** @param type the type of its numbers */
  constructor(type: NumbersType<Numbers>) {
    this.#type = type;
    this.#numbers = new type(FEWEST);
  }

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new this.#type(this.#length * 2);
      larger.set(this.#numbers);
      freeArray(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  /** The number at an index from 0; undefined beyond the end. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#numbers[index] : undefined;
  }

  /** Replaces the number at an index of the list. */
  set(index: number, number: number): void {
    this.#numbers[index] = number;
  }

  /** The numbers without a copy, which are valid until the list changes. */
  get view(): Numbers {
    return new this.#type(this.#numbers.buffer, 0, this.#length);
  }

  /** Removes all numbers, and releases their memory. */
  clear(): void {
    freeArray(this.#numbers);
    this.#numbers = new this.#type(FEWEST);
    this.#length = 0;
  }

  /** The index of the first occurrence of a number; -1 without one. */
  indexOf(number: number): number {
    const index = this.#numbers.indexOf(number);
    return index < this.#length ? index : -1;
  }
}
