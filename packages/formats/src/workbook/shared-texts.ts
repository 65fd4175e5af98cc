import { fromCellText } from './cells.ts';
import { WorkbookError } from './workbook-limits.ts';

/** Size of a memory block, in bytes. */
const CHUNK = 4 * 1024 * 1024;

/** Size from which a text is kept as a string, because decoding it again for every cell would fill the memory. */
const LONG = 16 * 1024;

const LONE_SURROGATE = /\p{Cs}/gu;

/** The shared texts of a workbook, stored as UTF-8, which takes a fraction of the memory of strings. */
export class SharedTexts {
  readonly #most: { readonly texts: number; readonly bytes: number };
  readonly #long = new Map<number, string>();
  readonly #chunks: Buffer[] = [];
  /** End offset of the texts in each full chunk. */
  readonly #ends: number[] = [];
  /** Start offset of each text over all chunks; long texts are empty there. */
  #starts = new Uint32Array(1024);
  /** Start offset of the next text. */
  #end = 0;
  #count = 0;
  #bytes = 0;

  /** @param most maximum number of texts, and their maximum total size in bytes */
  constructor(most: { readonly texts: number; readonly bytes: number }) {
    this.#most = most;
  }

  /** Number of texts. */
  get count(): number {
    return this.#count;
  }

  /** Adds a text, with SpreadsheetML's escapes (`_x000D_`). @throws WorkbookError beyond the limits */
  add(escaped: string): void {
    // UTF-8 cannot encode unpaired surrogates, so they are escaped.
    const text = escaped.isWellFormed()
      ? escaped
      : escaped.replaceAll(LONE_SURROGATE, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase()}_`);
    const length = Buffer.byteLength(text);
    this.#bytes += length;
    const most = `${this.#most.texts} shared texts, or ${Math.floor(this.#most.bytes / 1024 / 1024)} MB of them`;
    if (this.#count === this.#most.texts || this.#bytes > this.#most.bytes) {
      throw new WorkbookError(`has more than ${most}; a folder of CSV files has no size limit`);
    }
    if (this.#count === this.#starts.length) {
      const more = new Uint32Array(this.#starts.length * 2);
      more.set(this.#starts);
      this.#starts = more;
    }
    if (length >= LONG) {
      // Copied through a buffer: the original string may retain the pieces that it was built from.
      this.#long.set(this.#count, fromCellText(Buffer.from(text).toString()));
    } else if (CHUNK - (this.#end % CHUNK) <= length || this.#chunks.length === 0) {
      if (this.#chunks.length > 0) this.#ends.push(this.#end);
      this.#end = this.#chunks.length * CHUNK;
      this.#chunks.push(Buffer.alloc(CHUNK));
    }
    this.#starts[this.#count] = this.#end;
    this.#count += 1;
    if (length >= LONG) return;
    this.#chunks.at(-1)?.write(text, this.#end % CHUNK);
    this.#end += length;
  }

  /** The text with a number, from 0; undefined if out of range. */
  get(number: number): string | undefined {
    const start = number < this.#count ? this.#starts[number] : undefined;
    if (start === undefined) return undefined;
    const long = this.#long.get(number);
    if (long !== undefined) return long;
    const place = Math.floor(start / CHUNK);
    const next = number + 1 < this.#count ? (this.#starts[number + 1] ?? 0) : this.#end;
    const end = Math.min(next, this.#ends[place] ?? this.#end);
    const first = place * CHUNK;
    return fromCellText(this.#chunks[place]?.toString('utf8', start - first, end - first) ?? '');
  }
}
