import type { DatabaseSync } from 'node:sqlite';
import type { Kind } from '@archiefkast/types/kinds';
import { NumberList } from '../../number-list.ts';
import { fold } from '../fields/fold.ts';
import type { ArrayWriter } from '../file/arrays.ts';
import { codesName } from '../file/index-file.ts';

/** Size of the buffer of a field, in bytes. */
const BLOCK_BYTES = 64 * 1024;

/** Values of consecutive records, each terminated by a line feed, in UTF-8. */
interface FieldBlock {
  /** Number of the block within the field. */
  block: number;
  /** Values for comparison. */
  folded: Uint8Array;
  /** Values for display; null if equal. */
  shown: Uint8Array | null;
}

/** Collects the values of one field, and writes them in blocks. */
export class FieldWriter {
  readonly #write: (block: FieldBlock) => void;
  readonly #folded = new Lines();
  readonly #shown = new Lines();
  #block = 0;

  /** @param write writes a block, whose bytes are only valid until it returns */
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

  /** Writes the current block. */
  flush(): void {
    const folded = this.#folded.take();
    const shown = this.#shown.take();
    this.#write({ block: this.#block, folded, shown: shown.equals(folded) ? null : shown });
    this.#block += 1;
  }
}

/** Creates writers of fields into an index file. */
export function createFieldWriters(database: DatabaseSync): (kind: Kind, name: string) => FieldWriter {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO field (kind, name, block, folded, shown) VALUES (?, ?, ?, ?, ?)',
  );
  return (kind, name) =>
    new FieldWriter(({ block, folded, shown }) => {
      insert.run(kind, name, block, folded, shown);
    });
}

/** A buffer of UTF-8 lines, each terminated by a line feed. */
export class Lines {
  #bytes = Buffer.allocUnsafe(BLOCK_BYTES);
  #length = 0;

  /** Whether the buffer should be written. */
  get full(): boolean {
    return this.#length > BLOCK_BYTES / 2;
  }

  add(line: string): void {
    const end = this.#length + Buffer.byteLength(line) + 1;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    this.#length += this.#bytes.write(`${line}\n`, this.#length);
  }

  /** Returns the lines and resets the buffer; the result is valid until the next `add`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

/**
 * Assigns codes to the values of one field, for counting hits: values that fold to the same text have the same code.
 */
export class CodeWriter {
  readonly #kind: Kind;
  readonly #name: string;
  readonly #codes = new NumberList(Uint32Array);
  /** The code of each value, original and folded. */
  readonly #known = new Map<string, number>();
  readonly #values: FieldWriter;
  #size = 0;

  /** @param values receives each distinct value, in order of code */
  constructor(kind: Kind, name: string, values: FieldWriter) {
    this.#kind = kind;
    this.#name = name;
    this.#values = values;
  }

  /** Adds the next record's value. */
  add(value: string): void {
    this.#codes.push(this.#known.get(value) ?? this.#learn(value));
  }

  /** Writes the code of each record, and the distinct values. */
  finish(arrays: ArrayWriter): void {
    arrays.write(codesName(this.#kind, this.#name), this.#codes.view);
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
