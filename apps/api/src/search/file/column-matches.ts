import { isWordByte } from '../fields/fold.ts';
import type { Column } from './columns.ts';

/** The score of a full match of one clause: 1.0. */
export const FULL_SCORE = 10_000;

/** Quality of a match; higher is better. */
export const TIER = { inside: 0, wordStart: 1, wholeWord: 2, wholeValue: 3 } as const;

/** Quality of a match. */
export type Tier = (typeof TIER)[keyof typeof TIER];

/**
 * Called once for each matching value.
 *
 * @param row row of the record in the column, from 0
 * @param share matched part of the value: above 0, at most 1
 */
export type OnMatch = (row: number, tier: Tier, share: number) => void;

/**
 * The score of a match: whole value above whole word, above word start, above inside; within these a shorter value
 * scores higher.
 */
export function scoreOf(tier: Tier, share: number): number {
  if (tier === TIER.wholeValue) return FULL_SCORE;
  return Math.max(1, Math.floor(((tier + share) / 4) * FULL_SCORE));
}

/**
 * Finds the values that contain `wanted`.
 *
 * @param wanted the folded search value, in UTF-8; at least one byte
 * @param least the lowest quality of a match: in words, at the start of one, as whole words, or as the whole value
 * @param rows the only rows to search, ascending: faster for few; all by default
 */
export function matchValues(
  column: Column,
  wanted: Buffer,
  least: Tier,
  onMatch: OnMatch,
  rows?: Uint32Array,
): void {
  const { bytes } = column;
  const inValue = new Finder(bytes, wanted);
  const compare = (row: number, start: number, end: number, at: number): void => {
    const tier = inValue.bestTier(start, end, at);
    if (tier >= least) onMatch(row, tier, wanted.length / (end - start));
  };
  for (const row of rows ?? []) {
    const start = column.startOf(row);
    const end = column.endOf(row);
    const at = inValue.find(start, end);
    if (at >= 0) compare(row, start, end, at);
  }
  if (rows) return;
  const find = wanted.length === 1 ? findByte : findBytes;
  let row = 0;
  let end = 0;
  for (let at = find(bytes, wanted, 0); at >= 0; at = find(bytes, wanted, end)) {
    row = column.rowOf(at, row);
    end = column.endOf(row);
    compare(row, column.startOf(row), end, at);
  }
}

/** Whether a value contains `wanted` as one or more whole words. */
export function hasWord({ bytes }: Column, wanted: Buffer): boolean {
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (isBoundary(bytes, at) && isBoundary(bytes, at + wanted.length)) return true;
  return false;
}

/** Finds a single byte, which may be in every value: a loop is faster than calls of `indexOf`. */
function findByte(bytes: Buffer, wanted: Buffer, from: number): number {
  const byte = wanted[0];
  for (let at = from; at < bytes.length; at++) if (bytes[at] === byte) return at;
  return -1;
}

function findBytes(bytes: Buffer, wanted: Buffer, from: number): number {
  return bytes.indexOf(wanted, from);
}

/**
 * Finds bytes in a short value, for which calls of `indexOf` take longer: R. N. Horspool, Practical fast searching in strings, Software:
 * Practice and Experience 10 (1980).
 */
class Finder {
  readonly #bytes: Buffer;
  readonly #wanted: Buffer;
  /** For each byte, how far the end of a match is at least, if the byte is where one could end. */
  readonly #skips: Uint32Array;

  constructor(bytes: Buffer, wanted: Buffer) {
    this.#bytes = bytes;
    this.#wanted = wanted;
    this.#skips = new Uint32Array(256).fill(wanted.length);
    for (let at = 0; at < wanted.length - 1; at++) this.#skips[wanted[at] ?? 0] = wanted.length - 1 - at;
  }

  /** The offset of the first match between `start` and `end`; -1 without one. */
  find(start: number, end: number): number {
    // Each in a variable: half the time of reading them in the loop.
    const bytes = this.#bytes;
    const wanted = this.#wanted;
    const skips = this.#skips;
    const most = wanted.length - 1;
    const last = wanted[most];
    for (let at = start + most; at < end; ) {
      const byte = bytes[at] ?? 0;
      if (byte === last) {
        let left = most - 1;
        while (left >= 0 && bytes[at - most + left] === wanted[left]) left -= 1;
        if (left < 0) return at - most;
      }
      at += skips[byte] ?? 0;
    }
    return -1;
  }

  /** The best match in the value from `start` to `end`; `first` is the offset of the first one. */
  bestTier(start: number, end: number, first: number): Tier {
    const { length } = this.#wanted;
    if (end - start === length) return TIER.wholeValue;
    let best: Tier = TIER.inside;
    for (let at = first; at >= 0; at = this.find(at + 1, end)) {
      if (at > start && !isBoundary(this.#bytes, at)) continue;
      if (isBoundary(this.#bytes, at + length)) return TIER.wholeWord;
      best = TIER.wordStart;
    }
    return best;
  }
}

/** Whether there is a word boundary before the byte at `at`. */
function isBoundary(bytes: Buffer, at: number): boolean {
  return !isWordByte(bytes[at] ?? 0) || !isWordByte(bytes[at - 1] ?? 0);
}
