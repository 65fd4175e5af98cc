import { fold } from '../fields/fold.ts';

/** Bytes of a block: of what is gathered of a field before it is written. */
const BLOCK_BYTES = 64 * 1024;

/** Values of records that follow one another, each ended by a line feed, in UTF-8. */
export interface FieldBlock {
  /** Number of the block among those of the field. */
  block: number;
  /** As they are compared. */
  folded: Uint8Array;
  /** As they are shown; null where that is the same. */
  shown: Uint8Array | null;
}

/** Gathers the values of one field, record after record, and hands them on in blocks. */
export class FieldWriter {
  readonly #write: (block: FieldBlock) => void;
  readonly #folded = new Lines();
  readonly #shown = new Lines();
  #block = 0;

  /** @param write is given each block; its bytes are valid until it returns */
  constructor(write: (block: FieldBlock) => void) {
    this.#write = write;
  }

  /** Adds the next record's value. */
  add(value: string): void {
    const folded = fold(value);
    this.#folded.add(folded);
    this.#shown.add(folded === value ? folded : value.replaceAll('\n', ' '));
    if (this.#folded.full || this.#shown.full) this.flush();
  }

  /** Hands on what is gathered. */
  flush(): void {
    const folded = this.#folded.take();
    const shown = this.#shown.take();
    this.#write({ block: this.#block, folded, shown: shown.equals(folded) ? null : shown });
    this.#block += 1;
  }
}

/** Lines of text as UTF-8, each ended by a line feed. */
class Lines {
  #bytes = Buffer.allocUnsafe(BLOCK_BYTES);
  #length = 0;

  /** Whether the lines fill a block. */
  get full(): boolean {
    return this.#length > BLOCK_BYTES / 2;
  }

  add(line: string): void {
    const end = this.#length + Buffer.byteLength(line) + 1;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], end);
    this.#length += this.#bytes.write(`${line}\n`, this.#length);
  }

  /** The lines, which are begun anew; what is given stands until the next `add`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
