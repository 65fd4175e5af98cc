import type { Column } from '../file/columns.ts';
import type { Box, Circle, DateRange } from '../query/query.ts';
import { FULL_SCORE } from './scores.ts';

/** How a value matches; better matches have a higher number. */
export const TIER = { inside: 0, wordStart: 1, wholeWord: 2, wholeValue: 3 } as const;

/** How a value matches. */
export type Tier = (typeof TIER)[keyof typeof TIER];

const ZERO = 48;

/**
 * Called for each value that matches, once.
 *
 * @param row the record's place in the column, from 0
 * @param share how much of the value was asked for: above 0, at most 1
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
 * @param wanted the value asked for, folded, in UTF-8; at least one byte
 */
export function matchContaining(column: Column, wanted: Buffer, onMatch: OnMatch): void {
  const { bytes } = column;
  const find = wanted.length === 1 ? findByte : findBytes;
  let row = 0;
  let end = 0;
  for (let at = find(bytes, wanted, 0); at >= 0; at = find(bytes, wanted, end)) {
    row = column.rowOf(at, row);
    const start = column.startOf(row);
    end = column.endOf(row);
    onMatch(row, bestTier(bytes, wanted, start, end, at), wanted.length / (end - start));
  }
}

/** Finds the values in which `wanted` is a word, or several. */
export function matchWords(column: Column, wanted: Buffer, onMatch: OnMatch): void {
  matchFrom(TIER.wholeWord, column, wanted, onMatch);
}

/** Finds the values that are `wanted`. */
export function matchWhole(column: Column, wanted: Buffer, onMatch: OnMatch): void {
  matchFrom(TIER.wholeValue, column, wanted, onMatch);
}

function matchFrom(least: Tier, column: Column, wanted: Buffer, onMatch: OnMatch): void {
  matchContaining(column, wanted, (row, tier, share) => {
    if (tier >= least) onMatch(row, tier, share);
  });
}

/** Finds the dates that lie in a range; values that are no dates do not. */
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

/** For one byte that may well be in every value: calls of `indexOf` would cost more than the loop. */
function findByte(bytes: Buffer, wanted: Buffer, from: number): number {
  const byte = wanted[0];
  for (let at = from; at < bytes.length; at++) if (bytes[at] === byte) return at;
  return -1;
}

function findBytes(bytes: Buffer, wanted: Buffer, from: number): number {
  return bytes.indexOf(wanted, from);
}

/** The best of the matches in the value from `start` to `end`; `first` is where the first one is. */
function bestTier(bytes: Buffer, wanted: Buffer, start: number, end: number, first: number): Tier {
  if (end - start === wanted.length) return TIER.wholeValue;
  let best: Tier = TIER.inside;
  for (let at = first; at + wanted.length <= end; at++) {
    if (!occursAt(bytes, wanted, at)) continue;
    if (at > start && !isBoundary(bytes, at)) continue;
    if (isBoundary(bytes, at + wanted.length)) return TIER.wholeWord;
    best = TIER.wordStart;
  }
  return best;
}

function occursAt(bytes: Buffer, wanted: Buffer, at: number): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Whether a word begins or ends between the byte at `at` and the one before. */
function isBoundary(bytes: Buffer, at: number): boolean {
  return !isWordByte(bytes[at] ?? 0) || !isWordByte(bytes[at - 1] ?? 0);
}

/** Letters and digits of folded ASCII, and every byte of a character beyond ASCII. */
function isWordByte(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** Where the records of a kind are, by row: degrees; NaN where that is not known. */
export interface Coordinates {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Mean radius of the Earth, in metres. */
const EARTH = 6_371_008.8;
const RADIAN = Math.PI / 180;

/**
 * Finds what lies in a circle.
 *
 * @param onHit called with the score: full at the centre, lower the farther away
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

/** Finds what lies in a box, its edges included. */
export function matchWithin(
  { latitudes, longitudes }: Coordinates,
  box: Box,
  onHit: (row: number, score: number) => void,
): void {
  for (let row = 0; row < latitudes.length; row++) {
    if (isWithin(box, latitudes[row] ?? Number.NaN, longitudes[row] ?? Number.NaN)) onHit(row, FULL_SCORE);
  }
}

/** Whether a point lies in a box, its edges included. */
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

/** Words that say little of who or what is meant: particles, articles and titles. */
const PARTICLES = new Set(
  'a aan an and av de del della den der des di dr du el en et het in la le les mr of op t te ten ter the tot van vd von zu s ir jhr ds'.split(
    ' ',
  ),
);

/** What a particle counts, where another word counts 1. */
const PARTICLE = 0.2;

/**
 * How far a name and what was typed are the same words, in any order: 1 where they are, less for every word that only
 * one of them has, 0 where they have none in common. `Rembrandt` is most of `rembrandt van rijn`.
 *
 * @param name the words of the name, folded
 * @param typed those that were typed, folded
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
