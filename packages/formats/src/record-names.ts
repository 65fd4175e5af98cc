import type { Kind } from '@archiefkast/types';
import { type Fields, nameOfRecord, uuidIn } from '@archiefkast/types/internal/fields';
import { uuidOfReference } from '@archiefkast/types/links';

export { type Fields, nameOfRecord };

/** Looks up names of referenced records, in the language of the file. */
export interface RecordNames {
  /** The name of a record; undefined if unknown. */
  ofUuid(kind: Kind, uuid: string): string | undefined;
  /** The name of the subject with an id; undefined if unknown. */
  ofSubject(id: number): string | undefined;
}

/** The fields whose records are shown by name, with the kind of these. */
export const NAMED = { subjects: 'subject', persons: 'person', location: 'location' } as const;

/** The uuid of a referenced or embedded record. */
export function uuidOf(value: unknown): string {
  const reference = String(uuidIn(value));
  return uuidOfReference(reference) ?? reference;
}

/** The name of a referenced or embedded record; empty if unknown. */
export function nameOf(kind: Kind, value: unknown, names: RecordNames): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? nameOfRecord(value) : (names.ofUuid(kind, uuidOf(value)) ?? '');
}

/** The names that the rows of some records need, and the records do not contain. */
export function neededNames(records: readonly Fields[]) {
  /** By kind; parent subjects by id. */
  const uuids: Partial<Record<Kind, Set<string>>> = {};
  const parents = new Set<number>();
  for (const record of records) {
    for (const [name, kind] of Object.entries(NAMED)) {
      for (const value of [record[name]].flat()) {
        if (typeof value !== 'string') continue;
        uuids[kind] ??= new Set();
        uuids[kind].add(uuidOf(value));
      }
    }
    if (typeof record['parent'] === 'number') parents.add(record['parent']);
  }
  return { uuids, parents };
}
