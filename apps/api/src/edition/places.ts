import { KINDS, type Kind } from '@archiefkast/types';
import type { Edition } from '../storage/edition.ts';
import type { RecordPlace } from './texts.ts';

/** Offsets in a list, from 0; `end` is not in it. */
export interface Range {
  start: number;
  end: number;
}

/** A record and how well it matches a query. */
export interface ScoredPlace extends RecordPlace {
  score: number;
}

/** The positions of a range of a list, which count from 1. */
export function positionsOf({ start, end }: Range): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1);
}

/** The records at a range of the list of a kind. */
export function listPlaces(kind: Kind, range: Range): RecordPlace[] {
  return positionsOf(range).map((position) => ({ kind, position }));
}

/** The records at a range of the list of all kinds, which search without a query is: kind by kind, by id. */
export function walkPlaces(edition: Edition, { start, end }: Range): ScoredPlace[] {
  const places: ScoredPlace[] = [];
  let before = 0;
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    const range = { start: clamp(start - before, count), end: clamp(end - before, count) };
    places.push(...listPlaces(kind, range).map((place) => ({ ...place, score: 0 })));
    before += count;
  }
  return places;
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
