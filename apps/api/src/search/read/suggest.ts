import type { Kind } from '@archiefkast/types';
import type { SearchField } from '../fields/search-fields.ts';
import type { Column, Columns } from '../file/columns.ts';
import { matchContaining, type OnMatch, TIER } from './matchers.ts';

/** A suggested value of a field. */
export interface Suggestion {
  /** The value as written in the first record that has it. */
  value: string;
  /** Number of records that have it. */
  count: number;
  /** The record that has it, if there is only one. */
  record?: { kind: Kind; uuid: string };
}

/** A folded value, and its first occurrence. */
interface Found {
  folded: string;
  count: number;
  kind: Kind;
  name: string;
  row: number;
  /** 0 if the value starts with the prefix, 1 if a later word does. */
  rank: number;
}

/**
 * Suggests values in which a word starts with `prefix`: first those that start with it themselves, then by number of
 * records, then alphabetically.
 *
 * @param fields fields to search; a record counts once per value
 * @param prefix folded
 */
export function suggest(
  columns: Columns,
  fields: readonly Pick<SearchField, 'kinds' | 'columns'>[],
  prefix: string,
  limit: number,
): Suggestion[] {
  const found = new Map<string, Found>();
  for (const { kinds, columns: names } of fields) {
    for (const kind of kinds) addValues(columns, kind, names, prefix, found);
  }
  return most(found.values(), limit).map(({ kind, name, row, count }) => {
    const value = columns.shown(kind, name).valueAt(row);
    if (count > 1) return { value, count };
    return { value, count, record: { kind, uuid: columns.folded(kind, 'uuid').valueAt(row) } };
  });
}

function addValues(
  columns: Columns,
  kind: Kind,
  names: readonly string[],
  prefix: string,
  found: Map<string, Found>,
): void {
  const earlier: Column[] = [];
  for (const name of names) {
    const column = columns.folded(kind, name);
    eachBeginning(column, Buffer.from(prefix), (row) => {
      const folded = column.valueAt(row);
      if (folded === '' || earlier.some((other) => other.valueAt(row) === folded)) return;
      const known = found.get(folded);
      const rank = folded.startsWith(prefix) ? 0 : 1;
      if (known) known.count += 1;
      else found.set(folded, { folded, count: 1, kind, name, row, rank });
    });
    earlier.push(column);
  }
}

/** Calls `onMatch` for each value in which a word starts with `prefix`; for every value if it is empty. */
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

/** The first `limit` values in order, without sorting all. */
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
  return a.rank - b.rank || b.count - a.count || (a.folded < b.folded ? -1 : 1);
}
