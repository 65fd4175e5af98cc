import { isWordByte, PARTICLES } from '../fields/fold.ts';
import { FULL_SCORE, type OnMatch, TIER } from '../file/column-matches.ts';
import type { Column } from '../file/columns.ts';
import type { Coordinates } from '../file/records.ts';
import type { Box, Circle, DateRange } from '../query/query.ts';

const ZERO = 48;

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

/** Mean radius of the Earth, in metres. */
const EARTH = 6_371_008.8;
const RADIAN = Math.PI / 180;

/** Finds the values with the same letters and digits as some words, in the same order. */
export function matchLetters(column: Column, words: readonly string[], onMatch: OnMatch): void {
  const { bytes } = column;
  const letters = Buffer.from(words.join(''));
  for (let row = 0; row < column.length; row++) {
    const end = column.endOf(row);
    let same = 0;
    let at = column.startOf(row);
    while (at < end) {
      if (bytes[at] === letters[same]) {
        same += 1;
        at += 1;
      } else {
        const skipped = signAt(bytes, at);
        if (skipped === 0) break;
        at += skipped;
      }
    }
    if (at === end && same === letters.length) onMatch(row, TIER.wholeValue, 1);
  }
}

const BEYOND_ASCII = 0x80;
const LETTER = /[\p{L}\p{N}]/u;

/** The length in bytes of a character other than a letter or digit; 0 for one of these. */
function signAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte < BEYOND_ASCII) return isWordByte(byte) ? 0 : 1;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  return LETTER.test(bytes.toString('utf8', at, at + length)) ? 0 : length;
}

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
  { south, west, north, east }: Box,
  onHit: (row: number, score: number) => void,
): void {
  for (let row = 0; row < latitudes.length; row++) {
    const [latitude = Number.NaN, longitude = Number.NaN] = [latitudes[row], longitudes[row]];
    const [isEast, isWest] = [longitude >= west, longitude <= east];
    const isBetween = west <= east ? isEast && isWest : isEast || isWest;
    if (isBetween && latitude >= south && latitude <= north) onHit(row, FULL_SCORE);
  }
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
const LIGHT = new Set([...PARTICLES, ...'a an av del della dr ds et ir jhr mr s'.split(' ')]);

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
  const common = weightOf([...words].filter((word) => typed.has(word)));
  return common === 0 ? 0 : (common * common) / (weightOf(words) * weightOf(typed));
}

function weightOf(words: Iterable<string>): number {
  let sum = 0;
  for (const word of words) sum += LIGHT.has(word) ? PARTICLE : 1;
  return sum;
}
