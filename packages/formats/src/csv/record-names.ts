import type { Kind } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';

/** A record with the contract's field names, as it is served or as a line of JSON holds it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Finds the names of records that others refer to, in the language of the file. */
export interface RecordNames {
  /** The name of the record of a kind; undefined when it is not known. */
  ofUuid(kind: Kind, uuid: string): string | undefined;
  /** The name of the subject with an id; undefined when it is not known. */
  ofSubject(id: number): string | undefined;
}

/** What must be found before the rows of some records can be written. */
export interface NeededNames {
  /** Uuids by kind. */
  uuids: Partial<Record<Kind, Set<string>>>;
  /** The ids of parent subjects. */
  parents: Set<number>;
}

/** The kind of record that each field refers to, or embeds. */
const REFERENCES = { subjects: 'subject', persons: 'person', location: 'location' } as const;

/** Whether the names of the records that a field refers to are looked up. */
export function isNamed(field: string): boolean {
  return field in REFERENCES;
}

/** What a record is called: its `title`, or its `name`. */
export function nameOfRecord(record: object): string {
  if ('title' in record && typeof record.title === 'string') return record.title;
  return 'name' in record && typeof record.name === 'string' ? record.name : '';
}

/** The uuid of a record that is referred to or embedded. */
export function uuidOf(value: unknown): string {
  const name = typeof value === 'object' && value !== null && 'uuid' in value ? value.uuid : value;
  return uuidOfReference(String(name)) ?? String(name);
}

/** The names that the rows of some records show, and that the records do not hold themselves. */
export function neededNames(records: readonly Fields[]): NeededNames {
  const needed: NeededNames = { uuids: {}, parents: new Set() };
  for (const record of records) {
    for (const [field, kind] of Object.entries(REFERENCES)) {
      for (const value of [record[field]].flat()) {
        if (typeof value !== 'string') continue;
        needed.uuids[kind] ??= new Set();
        needed.uuids[kind].add(uuidOf(value));
      }
    }
    if (typeof record['parent'] === 'number') needed.parents.add(record['parent']);
  }
  return needed;
}

/** The name of a record that is referred to or embedded; empty when it is not known. */
export function nameOf(kind: Kind, value: unknown, names: RecordNames): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? nameOfRecord(value) : (names.ofUuid(kind, uuidOf(value)) ?? '');
}
