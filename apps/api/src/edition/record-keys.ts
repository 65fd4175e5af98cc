import { KINDS, type Kind } from '@archiefkast/types';
import type { Edition } from '../storage/edition.ts';

/** Offsets in a list, from 0; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Names a record within an edition: its kind, and its position in the list of that kind, from 1. */
export interface RecordKey {
  kind: Kind;
  position: number;
}

/** The key of a record, and how well the record matches a query. */
export interface ScoredKey extends RecordKey {
  score: number;
}

/** The positions, from 1, of a range of a list. */
export function positionsInRange({ start, end }: Range): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index + 1);
}

/** The keys of the records in a range of the list of a kind. */
export function listKeys(kind: Kind, range: Range): RecordKey[] {
  return positionsInRange(range).map((position) => ({ kind, position }));
}

/** The keys of the records in a range of the list of all records, ordered by kind and id: search without a query. */
export function walkKeys(edition: Edition, { start, end }: Range): ScoredKey[] {
  const keys: ScoredKey[] = [];
  let before = 0;
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    const range = { start: clamp(start - before, count), end: clamp(end - before, count) };
    keys.push(...listKeys(kind, range).map((key) => ({ ...key, score: 0 })));
    before += count;
  }
  return keys;
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
