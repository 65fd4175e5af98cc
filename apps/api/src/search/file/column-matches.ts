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
  const compare = (row: number, start: number, end: number, at: number): void => {
    const tier = bestTier(bytes, wanted, start, end, at);
    if (tier >= least) onMatch(row, tier, wanted.length / (end - start));
  };
  for (const row of rows ?? []) {
    const start = column.startOf(row);
    const end = column.endOf(row);
    const at = find(bytes, wanted, start, end);
    if (at >= 0) compare(row, start, end, at);
  }
  if (rows) return;
  // A single byte may be in every value: a loop is faster than calls of `indexOf`.
  const next = (from: number) =>
    wanted.length === 1 ? find(bytes, wanted, from, bytes.length) : bytes.indexOf(wanted, from);
  let row = 0;
  let end = 0;
  for (let at = next(0); at >= 0; at = next(end)) {
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

/** The offset of the first match between `start` and `end`, -1 without one; in a short value, calls of `indexOf` take longer. */
function find(bytes: Buffer, wanted: Buffer, start: number, end: number): number {
  const { length } = wanted;
  const first = wanted[0];
  for (let at = start; at <= end - length; at++) {
    if (bytes[at] !== first) continue;
    let same = 1;
    while (same < length && bytes[at + same] === wanted[same]) same += 1;
    if (same === length) return at;
  }
  return -1;
}

/** The best match in a value. @param first offset of the first one */
function bestTier(bytes: Buffer, wanted: Buffer, start: number, end: number, first: number): Tier {
  const { length } = wanted;
  if (end - start === length) return TIER.wholeValue;
  let best: Tier = TIER.inside;
  for (let at = first; at >= 0; at = find(bytes, wanted, at + 1, end)) {
    if (at > start && !isBoundary(bytes, at)) continue;
    if (isBoundary(bytes, at + length)) return TIER.wholeWord;
    best = TIER.wordStart;
  }
  return best;
}

/** Whether there is a word boundary before the byte at `at`. */
function isBoundary(bytes: Buffer, at: number): boolean {
  return !isWordByte(bytes[at] ?? 0) || !isWordByte(bytes[at - 1] ?? 0);
}
