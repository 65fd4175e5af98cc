import type { Kind } from '@archive/types';
import type { Column } from './column.ts';
import type { Columns } from './columns.ts';
import { matchContaining, type OnMatch, TIER } from './match-field.ts';

/** A value that a field has. */
export interface Suggestion {
  /** As the first of the records writes it. */
  value: string;
  /** Records that have it. */
  count: number;
}

/** A folded value, and where it is first found. */
interface Found {
  folded: string;
  count: number;
  kind: Kind;
  name: string;
  row: number;
}

/**
 * Values in which a word begins with `prefix`, those of most records first, then by alphabet.
 *
 * @param names the fields of the record that are looked at; a record counts once for a value
 * @param prefix folded
 */
export function suggest(
  columns: Columns,
  kinds: readonly Kind[],
  names: readonly string[],
  prefix: string,
  limit: number,
): Suggestion[] {
  const found = new Map<string, Found>();
  for (const kind of kinds) {
    const earlier: Column[] = [];
    for (const name of names) {
      const column = columns.folded(kind, name);
      eachBeginning(column, Buffer.from(prefix), (row) => {
        const folded = column.valueAt(row);
        if (folded === '' || earlier.some((other) => other.valueAt(row) === folded)) return;
        const known = found.get(folded);
        if (known) known.count += 1;
        else found.set(folded, { folded, count: 1, kind, name, row });
      });
      earlier.push(column);
    }
  }
  return most(found.values(), limit).map(({ kind, name, row, count }) => {
    return { value: columns.shown(kind, name).valueAt(row), count };
  });
}

/** Calls `onMatch` for each value in which a word begins with `prefix`; for every value when that is empty. */
function eachBeginning(column: Column, prefix: Buffer, onMatch: (row: number) => void): void {
  if (prefix.length === 0) {
    for (let row = 0; row < column.length; row++) onMatch(row);
    return;
  }
  const onTier: OnMatch = (row, tier) => {
    if (tier !== TIER.inside) onMatch(row);
  };
  matchContaining(column, prefix, onTier);
}

/** The first `limit` in order, without sorting all. */
function most(found: Iterable<Found>, limit: number): Found[] {
  const first: Found[] = [];
  for (const candidate of found) {
    const place = first.findLastIndex((other) => inOrder(other, candidate) < 0) + 1;
    if (place >= limit) continue;
    first.splice(place, 0, candidate);
    if (first.length > limit) first.pop();
  }
  return first;
}

function inOrder(a: Found, b: Found): number {
  return b.count - a.count || (a.folded < b.folded ? -1 : 1);
}
