import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outline } from '../../derived/outline.ts';
import type { DumpParts } from './dump-parts.ts';

/** What is known of a dump from its beginning up to some part; it grows part by part. */
export class Measurement {
  readonly #parts: DumpParts;
  readonly #hash = createHash('sha256');
  readonly #starts: number[] = [];
  #bytes = 0;

  constructor(parts: DumpParts) {
    this.#parts = parts;
  }

  /** Bytes of the parts that have been made. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where the parts that have been made start. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** Whether all parts have been made. */
  get isWhole(): boolean {
    return this.#starts.length === this.#parts.count;
  }

  /** Makes the next part, and gives its bytes. When that fails, nothing has changed. */
  async addPart(): Promise<Buffer[]> {
    await nextTurn();
    const buffers = await this.#parts.make(this.#starts.length);
    this.#starts.push(this.#bytes);
    for (const buffer of buffers) {
      this.#hash.update(buffer);
      this.#bytes += buffer.length;
    }
    return buffers;
  }

  /** What is known of the whole, once all parts have been made. */
  outline(): Outline {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex'), starts: [...this.#starts] };
  }
}
