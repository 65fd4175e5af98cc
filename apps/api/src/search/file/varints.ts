/**
 * Writes numbers in 7 bits of each byte, the lowest first; the eighth says that another byte follows. The bytes can be written
 * again, which is faster than others.
 */
export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** The bytes written, until the next ones are. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param value an integer from 0 to 2^32 - 1 */
  write(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes what another one wrote. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Starts again. */
  clear(): void {
    this.#length = 0;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** An array takes longer to make than a few numbers to read. */
const NOTHING = new Uint8Array(0);

/** Reads numbers that `VarintWriter` wrote. */
export class VarintReader {
  #bytes: Uint8Array = NOTHING;
  #at = 0;

  /** Starts reading other bytes. */
  open(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#at = 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next number. */
  read(): number {
    let byte = this.#bytes[this.#at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}
