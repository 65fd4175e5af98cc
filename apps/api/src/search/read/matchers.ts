import { isWordByte } from '../fields/word-bytes.ts';
import type { Column } from '../file/columns.ts';
import type { Box, Circle, DateRange } from '../query/query.ts';
import { FULL_SCORE } from './scores.ts';

/** Quality of a match; higher is better. */
export const TIER = { inside: 0, wordStart: 1, wholeWord: 2, wholeValue: 3 } as const;

/** Quality of a match. */
export type Tier = (typeof TIER)[keyof typeof TIER];

const ZERO = 48;

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
 * @param rows the only rows to search, ascending: faster for few; all by default
 */
export function matchContaining(column: Column, wanted: Buffer, onMatch: OnMatch, rows?: Uint32Array): void {
  if (rows) {
    matchAmong(rows, column, wanted, onMatch);
    return;
  }
  const { bytes } = column;
  const inValue = new Finder(bytes, wanted);
  const find = wanted.length === 1 ? findByte : findBytes;
  let row = 0;
  let end = 0;
  for (let at = find(bytes, wanted, 0); at >= 0; at = find(bytes, wanted, end)) {
    row = column.rowOf(at, row);
    const start = column.startOf(row);
    end = column.endOf(row);
    onMatch(row, inValue.bestTier(start, end, at), wanted.length / (end - start));
  }
}

/** Finds the values that contain `wanted` as one or more whole words. */
export function matchWords(column: Column, wanted: Buffer, onMatch: OnMatch, rows?: Uint32Array): void {
  matchFrom(TIER.wholeWord, column, wanted, onMatch, rows);
}

/** Finds the values in which `wanted` starts a word. */
export function matchWordStarts(column: Column, wanted: Buffer, onMatch: OnMatch, rows?: Uint32Array): void {
  matchFrom(TIER.wordStart, column, wanted, onMatch, rows);
}

/** Finds the values equal to `wanted`. */
export function matchWhole(column: Column, wanted: Buffer, onMatch: OnMatch): void {
  matchFrom(TIER.wholeValue, column, wanted, onMatch);
}

function matchFrom(least: Tier, column: Column, wanted: Buffer, onMatch: OnMatch, rows?: Uint32Array): void {
  const onAny: OnMatch = (row, tier, share) => {
    if (tier >= least) onMatch(row, tier, share);
  };
  matchContaining(column, wanted, onAny, rows);
}

function matchAmong(rows: Uint32Array, column: Column, wanted: Buffer, onMatch: OnMatch): void {
  const inValue = new Finder(column.bytes, wanted);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const start = column.startOf(row);
    const end = column.endOf(row);
    const at = inValue.find(start, end);
    if (at >= 0) onMatch(row, inValue.bestTier(start, end, at), wanted.length / (end - start));
  }
}

/** Finds the dates in a range; other values do not match. */
export function matchRange(column: Column, { from, to }: DateRange, onMatch: OnMatch): void {
  const { bytes } = column;
  const digit = (at: number): number => (bytes[at] ?? 0) - ZERO;
  const two = (at: number): number => digit(at) * 10 + digit(at + 1);
  for (let row = 0; row < column.length; row++) {
    const at = column.startOf(row);
    if (column.endOf(row) - at !== 'YYYY-MM-DD'.length) continue;
    const day = (two(at) * 100 + two(at + 2)) * 10_000 + two(at + 5) * 100 + two(at + 8);
    if (day >= from && day <= to) onMatch(row, TIER.wholeValue, 1);
  }
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

/** Coordinates of locations in degrees, by row; NaN if unknown. */
export interface Coordinates {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Mean radius of the Earth, in metres. */
const EARTH = 6_371_008.8;
const RADIAN = Math.PI / 180;

/**
 * Finds the locations in a circle.
 *
 * @param onHit called with the score: full at the centre, decreasing with the distance
 */
export function matchNear(
  { latitudes, longitudes }: Coordinates,
  { latitude, longitude, metres }: Circle,
  onHit: (row: number, score: number) => void,
): void {
  const southToNorth = metres / EARTH / RADIAN;
  for (let row = 0; row < latitudes.length; row++) {
    const at = latitudes[row] ?? Number.NaN;
    if (!(Math.abs(at - latitude) <= southToNorth)) continue;
    const distance = metresBetween(latitude, longitude, at, longitudes[row] ?? Number.NaN);
    if (distance <= metres) onHit(row, Math.max(1, Math.round((1 - distance / metres) * FULL_SCORE)));
  }
}

/** Finds the locations in a box, including its edges. */
export function matchWithin(
  { latitudes, longitudes }: Coordinates,
  box: Box,
  onHit: (row: number, score: number) => void,
): void {
  for (let row = 0; row < latitudes.length; row++) {
    if (isWithin(box, latitudes[row] ?? Number.NaN, longitudes[row] ?? Number.NaN)) onHit(row, FULL_SCORE);
  }
}

/** Whether a point is in a box, including its edges. */
function isWithin({ south, west, north, east }: Box, latitude: number, longitude: number): boolean {
  if (!(latitude >= south && latitude <= north)) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** The distance between two points on a sphere (haversine). */
function metresBetween(latitude: number, longitude: number, latitude2: number, longitude2: number): number {
  const vertical = Math.sin(((latitude2 - latitude) * RADIAN) / 2);
  const horizontal = Math.sin(((longitude2 - longitude) * RADIAN) / 2);
  const square =
    vertical * vertical +
    Math.cos(latitude * RADIAN) * Math.cos(latitude2 * RADIAN) * horizontal * horizontal;
  return 2 * EARTH * Math.asin(Math.sqrt(Math.min(1, square)));
}

/** Words with little meaning in names: particles, articles and titles. */
const PARTICLES = new Set(
  'a aan an and av de del della den der des di dr du el en et het in la le les mr of op t te ten ter the tot van vd von zu s ir jhr ds'.split(
    ' ',
  ),
);

/** Weight of a particle, relative to other words. */
const PARTICLE = 0.2;

/**
 * Overlap of the words of a name and the input, in any order: 1 if they are equal, less for every word that only one of
 * them has, 0 without common words. `Rembrandt` is most of `rembrandt van rijn`.
 *
 * @param name folded words of the name
 * @param typed folded words of the input
 */
export function nameOverlap(name: readonly string[], typed: ReadonlySet<string>): number {
  const words = new Set(name);
  let common = 0;
  for (const word of words) if (typed.has(word)) common += weightOf(word);
  const [all, wanted] = [weightOfAll(words), weightOfAll(typed)];
  return common === 0 ? 0 : (common * common) / (all * wanted);
}

function weightOfAll(words: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of words) sum += weightOf(word);
  return sum;
}

function weightOf(word: string): number {
  return PARTICLES.has(word) ? PARTICLE : 1;
}
