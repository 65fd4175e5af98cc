import type { Kind } from '@archiefkast/types';

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
