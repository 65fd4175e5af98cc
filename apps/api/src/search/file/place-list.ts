import { PostingCursor } from './posting-cursor.ts';
import type { PlacedPosting } from './postings.ts';
import type { RecordSet } from './record-set.ts';

/** A record with so many places or more has the number of their bytes before them, so that they can be skipped. */
export const MANY_PLACES = 4;

/**
 * The places of a word or phrase in the records of a chunk: the numbers of its last word. The words of all columns of a record are
 * numbered from 0, with a number left out after each column. They are stored as the difference of each to the one before (0 at
 * first), in varints. A list can be filled again, which is faster than another one.
 */
export class PlaceList {
  /** Number of records. */
  length = 0;
  /** The numbers of the records in the chunk, ascending. */
  records = new Uint32Array(0);
  /** For each record, the index in `places` at which its places end: they begin where those of the record before end. */
  ends = new Uint32Array(0);
  /** The number of the last word at each place, ascending within a record. */
  places = new Uint32Array(0);
  /** The text column of each place. */
  columns = new Uint8Array(0);
  readonly #cursor = new PostingCursor();

  /** Reads the places of a word. @param only the only records to read; all by default */
  read(posting: PlacedPosting, only?: RecordSet): this {
    const { places: bytes } = posting;
    const cursor = this.#cursor.open(posting);
    this.#begin(cursor.length, bytes.length);
    const { places, columns } = this;
    let [found, at] = [0, 0];
    while (cursor.next()) {
      if (only && !only.has(cursor.record)) {
        at = afterPlaces(bytes, at, cursor.count);
        continue;
      }
      if (cursor.count >= MANY_PLACES) at = afterNumber(bytes, at);
      const start = found;
      const end = start + cursor.count;
      for (let place = 0; found < end; found++) {
        let byte = bytes[at++] ?? 0;
        let value = byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[at++] ?? 0;
          value |= (byte & 0x7f) << shift;
        }
        place += value;
        places[found] = place;
      }
      if (cursor.isInFirstOnly) columns.fill(0, start, found);
      else cursor.fillColumns(columns, start);
      this.records[this.length] = cursor.record;
      this.ends[this.length] = found;
      this.length += 1;
    }
    return this;
  }

  /** Finds the places at which a word follows a phrase in the same column. */
  follow(phrase: PlaceList, word: PlaceList): this {
    this.#begin(
      Math.min(phrase.length, word.length),
      phrase.length === 0 ? 0 : (phrase.ends[phrase.length - 1] ?? 0),
    );
    const [before, after] = [phrase.places, word.places];
    let [found, index, other] = [0, 0, 0];
    while (index < phrase.length && other < word.length) {
      const record = phrase.records[index] ?? 0;
      const otherRecord = word.records[other] ?? 0;
      if (record === otherRecord) {
        const start = found;
        let at = index === 0 ? 0 : (phrase.ends[index - 1] ?? 0);
        let next = other === 0 ? 0 : (word.ends[other - 1] ?? 0);
        const [end, last] = [phrase.ends[index] ?? 0, word.ends[other] ?? 0];
        while (at < end && next < last) {
          const difference = (after[next] ?? 0) - (before[at] ?? 0);
          if (difference === 1) {
            this.places[found] = after[next] ?? 0;
            this.columns[found] = word.columns[next] ?? 0;
            found += 1;
          }
          if (difference <= 1) next += 1;
          if (difference >= 1) at += 1;
        }
        if (found > start) {
          this.records[this.length] = record;
          this.ends[this.length] = found;
          this.length += 1;
        }
      }
      if (record <= otherRecord) index += 1;
      if (record >= otherRecord) other += 1;
    }
    return this;
  }

  /** Empties the list and makes room. */
  #begin(records: number, places: number): void {
    this.length = 0;
    if (this.records.length < records) {
      this.records = new Uint32Array(2 * records);
      this.ends = new Uint32Array(2 * records);
    }
    if (this.places.length < places) {
      this.places = new Uint32Array(2 * places);
      this.columns = new Uint8Array(2 * places);
    }
  }
}

/** Where the places of a record end that start at an index. */
function afterPlaces(bytes: Uint8Array, start: number, count: number): number {
  let at = start;
  if (count < MANY_PLACES) {
    for (let left = count; left > 0; left--) at = afterNumber(bytes, at);
    return at;
  }
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) return at + length;
  }
}

/** Where a varint ends that starts at an index. */
function afterNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at++] ?? 0) >= 0x80);
  return at;
}
