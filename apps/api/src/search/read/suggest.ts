import type { Kind, Language, Suggestions } from '@archiefkast/types';
import { FULL_NAMES, hasSuggestions, searchField } from '../fields/search-fields.ts';
import { matchValues, TIER } from '../file/column-matches.ts';
import type { Columns } from '../file/columns.ts';
import { firstOf } from './scores.ts';

/** The values to suggest. */
export interface SuggestedValues {
  /** Name of a search field with suggestions; by default, the names of all records. */
  field?: string | undefined;
  /** Only values of records of this kind. */
  kind?: Kind | undefined;
  /** Of a record with names in two languages that both match, the one in this language. */
  language: Language;
}

/** A folded value, and its first occurrence. */
interface Found {
  folded: string;
  /** Number of records that have it. */
  count: number;
  kind: Kind;
  isOfOneKind: boolean;
  name: string;
  row: number;
  /** 0 if the value starts with the prefix, 1 if a later word does. */
  rank: number;
}

/**
 * Suggests values in which a word starts with `prefix`: first names of other records than events, then those that start with
 * it themselves, then by number of records, then alphabetically; each as written in the first record that has it.
 *
 * @param prefix folded
 */
export function suggest(
  columns: Columns,
  { field, kind: only, language }: SuggestedValues,
  prefix: string,
  limit: number,
): Suggestions['values'] {
  const found = new Map<string, Found>();
  const fields = field === undefined ? FULL_NAMES : [searchField(field) ?? []].flat();
  for (const { kinds, columns: names } of fields.filter(hasSuggestions)) {
    const ordered = names.toSorted((a, b) => Number(b.endsWith(language)) - Number(a.endsWith(language)));
    for (const kind of kinds) {
      if (only === undefined || kind === only) addValues(columns, kind, ordered, prefix, found);
    }
  }
  return firstOf(found.values(), limit, inOrder).map(({ kind, isOfOneKind, name, row, count }) => ({
    value: columns.shown(kind, name).valueAt(row),
    count,
    ...(isOfOneKind && { kind }),
    ...(count === 1 && { uuid: columns.folded(kind, 'uuid').valueAt(row) }),
  }));
}

/** Adds the values of a kind. A record counts once, by the first column that matches. */
function addValues(
  columns: Columns,
  kind: Kind,
  names: readonly string[],
  prefix: string,
  found: Map<string, Found>,
): void {
  const seen = names.length > 1 ? new Set<number>() : undefined;
  for (const name of names) {
    const column = columns.folded(kind, name);
    const add = (row: number) => {
      const folded = column.valueAt(row);
      if (folded === '' || seen?.has(row)) return;
      seen?.add(row);
      const known = found.get(folded);
      const rank = folded.startsWith(prefix) ? 0 : 1;
      if (known) {
        known.count += 1;
        known.isOfOneKind &&= known.kind === kind;
      } else found.set(folded, { folded, count: 1, kind, isOfOneKind: true, name, row, rank });
    };
    if (prefix !== '') matchValues(column, Buffer.from(prefix), TIER.wordStart, add);
    else for (let row = 0; row < column.length; row++) add(row);
  }
}

/** Names of events are sentences that contain those of others. */
function isEvent({ kind }: Found): number {
  return Number(kind === 'event');
}

function inOrder(a: Found, b: Found): number {
  return isEvent(a) - isEvent(b) || a.rank - b.rank || b.count - a.count || (a.folded < b.folded ? -1 : 1);
}
