import { HashSlots } from '../../hash-slots.ts';

/** Numbers words from 0, in the order in which they are first met. */
export class WordNumbers {
  /** The bytes of all words. */
  #bytes = new Uint8Array(2 ** 18);
  /** For each word where its bytes end: they begin where those of the word before end. */
  #ends = new Uint32Array(2 ** 14);
  #hashes = new Uint32Array(2 ** 14);
  #sought = { text: new Uint8Array(0), start: 0, end: 0, hash: 0 };
  readonly #slots = new HashSlots(
    (number) => this.#hashes[number] ?? 0,
    (number) => this.#hashes[number] === this.#sought.hash && this.#isSought(number),
  );

  /** Number of words. */
  get length(): number {
    return this.#slots.size;
  }

  /** The number of the word that is in a text from `start` to `end`. @param hash the same for the same word */
  numberOf(text: Uint8Array<ArrayBuffer>, start: number, end: number, hash: number): number {
    const sought = this.#sought;
    sought.text = text;
    sought.start = start;
    sought.end = end;
    sought.hash = hash;
    return this.#slots.find(hash) ?? this.#add();
  }

  /** The word with a number. */
  wordOf(number: number): string {
    return Buffer.from(this.#bytes.buffer, this.#startOf(number), this.#lengthOf(number)).toString();
  }

  /** The numbers of all words, in the order of their bytes. */
  sorted(): Uint32Array {
    const starts = Float64Array.from({ length: this.length }, (_, number) => this.#firstOf(number));
    return Uint32Array.from(starts.keys()).sort(
      (a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || this.#compare(a, b),
    );
  }

  clear(): void {
    this.#slots.clear();
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  #lengthOf(number: number): number {
    return (this.#ends[number] ?? 0) - this.#startOf(number);
  }

  #isSought(number: number): boolean {
    const { text, start, end } = this.#sought;
    const from = this.#startOf(number);
    if (end - start !== (this.#ends[number] ?? 0) - from) return false;
    for (let at = start; at < end; at++) if (text[at] !== this.#bytes[from + at - start]) return false;
    return true;
  }

  /** The first six bytes of a word, as a number of the same order. */
  #firstOf(number: number): number {
    const [start, length] = [this.#startOf(number), this.#lengthOf(number)];
    let first = 0;
    for (let at = 0; at < 6; at++) first = first * 0x100 + (at < length ? (this.#bytes[start + at] ?? 0) : 0);
    return first;
  }

  #compare(a: number, b: number): number {
    const bytesOf = (number: number) =>
      this.#bytes.subarray(this.#startOf(number), this.#startOf(number) + this.#lengthOf(number));
    return Buffer.compare(bytesOf(a), bytesOf(b));
  }

  #add(): number {
    const { text, start, end, hash } = this.#sought;
    const number = this.length;
    const from = this.#startOf(number);
    if (number === this.#ends.length) {
      this.#ends = doubled(this.#ends);
      this.#hashes = doubled(this.#hashes);
    }
    while (from + end - start > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(text.subarray(start, end), from);
    this.#ends[number] = from + end - start;
    this.#hashes[number] = hash;
    this.#slots.add(number);
    return number;
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
