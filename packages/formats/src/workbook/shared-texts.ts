import { fromCellText } from './cells.ts';
import { WorkbookError } from './workbook-limits.ts';

/** Bytes that are taken at a time. */
const CHUNK = 4 * 1024 * 1024;

/** Bytes from which a text is kept as a string: made anew for every cell that shows it, it would fill the memory. */
const LONG = 16 * 1024;

const LONE_SURROGATE = /\p{Cs}/gu;

/** The texts that cells name by number, kept as UTF-8: as strings they would take several times as much memory. */
export class SharedTexts {
  readonly #most: { readonly texts: number; readonly bytes: number };
  readonly #long = new Map<number, string>();
  readonly #chunks: Buffer[] = [];
  /** Where the texts of each full chunk end. */
  readonly #ends: number[] = [];
  /** Where each text begins, as if the chunks were one; those that are long are empty there. */
  #starts = new Uint32Array(1024);
  /** Where the next begins. */
  #end = 0;
  #count = 0;
  #bytes = 0;

  /** @param most how many texts there may be, and how many bytes they may have together */
  constructor(most: { readonly texts: number; readonly bytes: number }) {
    this.#most = most;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds a text, with SpreadsheetML's escapes (`_x000D_`). @throws WorkbookError beyond the limits */
  add(escaped: string): void {
    // UTF-8 has no lone surrogates: they are kept as escapes.
    const text = escaped.isWellFormed()
      ? escaped
      : escaped.replaceAll(LONE_SURROGATE, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase()}_`);
    const length = Buffer.byteLength(text);
    this.#bytes += length;
    const most = `${this.#most.texts} shared texts, or ${Math.floor(this.#most.bytes / 1024 / 1024)} MB of them`;
    if (this.#count === this.#most.texts || this.#bytes > this.#most.bytes) {
      throw new WorkbookError(`has more than ${most}; a folder of CSV files may be of any size`);
    }
    if (this.#count === this.#starts.length) {
      const more = new Uint32Array(this.#starts.length * 2);
      more.set(this.#starts);
      this.#starts = more;
    }
    if (length >= LONG) {
      // By way of bytes: the string itself would keep the pieces that it was made of.
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

  /** The text of a number, from 0; undefined when there is none. */
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
