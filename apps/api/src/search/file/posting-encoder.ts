import { TEXT_COLUMNS } from './index-file.ts';
import { MANY_PLACES } from './place-list.ts';
import { NAME } from './posting-cursor.ts';
import type { PlacedPosting } from './postings.ts';
import { RecordSetWriter } from './record-set.ts';
import { VarintWriter } from './varints.ts';

const COLUMNS = TEXT_COLUMNS.length;

/** Writes a posting. */
export class PostingEncoder {
  readonly #records = new RecordSetWriter();
  readonly #named = new RecordSetWriter();
  readonly #codes = new VarintWriter();
  readonly #places = new VarintWriter();
  /** The places of the last record with many. */
  readonly #many = new VarintWriter();
  readonly #counts = new Uint32Array(COLUMNS);
  /** Number of records written. */
  count = 0;

  /** Starts another posting. */
  clear(): void {
    this.#records.clear();
    this.#named.clear();
    this.#codes.clear();
    this.#places.clear();
    this.count = 0;
  }

  /**
   * Writes the next record.
   *
   * @param record its number in the chunk
   * @param places the places of the word, ascending: those from `start` to `end`
   * @param columns the column of each place
   */
  write(record: number, places: Uint32Array, columns: Uint8Array, start: number, end: number): void {
    const counts = this.#counts.fill(0);
    let mask = 0;
    for (let at = start; at < end; at++) {
      const column = columns[at] ?? 0;
      counts[column] = (counts[column] ?? 0) + 1;
      mask |= 1 << column;
    }
    this.#records.write(record);
    if ((mask >> NAME) & 1) this.#named.write(record);
    this.#codes.write(mask === 1 ? (end - start) << 1 : (mask << 1) | 1);
    for (let column = 0; mask !== 1 && column < COLUMNS; column++) {
      const inColumn = counts[column] ?? 0;
      if (inColumn > 0) this.#codes.write(inColumn);
    }
    this.#writePlaces(places, start, end);
    this.count += 1;
  }

  /** What was written, until `clear`. */
  get posting(): PlacedPosting & { count: number; named: Uint8Array | null } {
    return {
      count: this.count,
      records: this.#records.stored,
      named: this.#named.isEmpty ? null : this.#named.stored,
      counts: this.#codes.bytes,
      places: this.#places.bytes,
    };
  }

  #writePlaces(places: Uint32Array, start: number, end: number): void {
    const isMany = end - start >= MANY_PLACES;
    const into = isMany ? this.#many : this.#places;
    let before = 0;
    for (let at = start; at < end; at++) {
      const place = places[at] ?? 0;
      into.write(place - before);
      before = place;
    }
    if (!isMany) return;
    this.#places.write(this.#many.bytes.length);
    this.#places.append(this.#many.bytes);
    this.#many.clear();
  }
}
