import type { Kind } from '@archiefkast/types/kinds';
import { fold } from '../fields/fold.ts';
import { type ArrayWriter, Numbers } from '../file/arrays.ts';
import { codesName } from '../file/index-file.ts';

/** Bytes of a block: of what is gathered of a field before it is written. */
const BLOCK_BYTES = 64 * 1024;

/** Values of records that follow one another, each ended by a line feed, in UTF-8. */
interface FieldBlock {
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

/**
 * Numbers the values of one field, record after record, so that hits can be counted by them: values that are folded
 * alike have one number.
 */
export class CodeWriter {
  readonly #kind: Kind;
  readonly #name: string;
  readonly #codes = new Numbers();
  /** The number of each value, as it is written and folded. */
  readonly #known = new Map<string, number>();
  readonly #values: FieldWriter;
  #size = 0;

  /** @param values takes each value once, in the order of their numbers */
  constructor(kind: Kind, name: string, values: FieldWriter) {
    this.#kind = kind;
    this.#name = name;
    this.#values = values;
  }

  /** Adds the next record's value. */
  add(value: string): void {
    this.#codes.push(this.#known.get(value) ?? this.#learn(value));
  }

  /** Writes the number of each record's value, and the values. */
  finish(arrays: ArrayWriter): void {
    arrays.write(codesName(this.#kind, this.#name), this.#codes.toArray());
    this.#values.flush();
  }

  #learn(value: string): number {
    const folded = fold(value);
    let code = this.#known.get(folded);
    if (code === undefined) {
      code = this.#size;
      this.#size += 1;
      this.#known.set(folded, code);
      this.#values.add(value);
    }
    this.#known.set(value, code);
    return code;
  }
}
