/** Numbers words from 0, in the order in which they are first met; an open-addressing table of their bytes. */
export class WordNumbers {
  /** The bytes of all words. */
  #bytes = new Uint8Array(2 ** 18);
  /** For each word where its bytes end: they begin where those of the word before end. */
  #ends = new Uint32Array(2 ** 14);
  #hashes = new Uint32Array(2 ** 14);
  /** For each slot the number of its word, plus 1; 0 if it is free. At most half of them are taken. */
  #slots = new Uint32Array(2 ** 15);
  #length = 0;

  /** Number of words. */
  get length(): number {
    return this.#length;
  }

  /** The number of the word that is in a text from `start` to `end`. @param hash the same for the same word */
  numberOf(text: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return this.#add(slot, text.subarray(start, end), hash);
      if (this.#hashes[number] === hash && this.#isAt(number, text, start, end)) return number;
    }
  }

  /** The word with a number. */
  wordOf(number: number): string {
    return Buffer.from(this.#bytes.buffer, this.#startOf(number), this.#lengthOf(number)).toString();
  }

  /** The numbers of all words, in the order of their bytes. */
  sorted(): Uint32Array {
    const starts = Float64Array.from({ length: this.#length }, (_, number) => this.#firstOf(number));
    return Uint32Array.from(starts.keys()).sort(
      (a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || this.#compare(a, b),
    );
  }

  clear(): void {
    this.#length = 0;
    this.#slots.fill(0);
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  #lengthOf(number: number): number {
    return (this.#ends[number] ?? 0) - this.#startOf(number);
  }

  #isAt(number: number, text: Uint8Array, start: number, end: number): boolean {
    let at = this.#startOf(number);
    if (end - start !== (this.#ends[number] ?? 0) - at) return false;
    for (let other = start; other < end; other++) if (text[other] !== this.#bytes[at++]) return false;
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

  #add(slot: number, word: Uint8Array, hash: number): number {
    const number = this.#length;
    const start = this.#startOf(number);
    if (number === this.#ends.length) {
      this.#ends = doubled(this.#ends);
      this.#hashes = doubled(this.#hashes);
    }
    while (start + word.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(word, start);
    this.#ends[number] = start + word.length;
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    this.#length += 1;
    if (2 * this.#length > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#length; number++) {
      let slot = (this.#hashes[number] ?? 0) & mask;
      while (slots[slot]) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
