import type { Kind } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import { isObject, type LooseRecord } from '../records/record-lines.ts';

/** A reference from a record to another. */
export interface Reference {
  field: string;
  kind: Kind;
  /** The uuid of the record, or the id of a parent subject. */
  key: string;
}

/**
 * Receives a reference.
 *
 * @param reference its text in the record: an address, a uuid, or the id of a parent subject
 */
export type OnReference = (field: string, kind: Kind, reference: string) => void;

/** The fields of each kind that refer to other records. */
const REFERENCE_FIELDS: Readonly<Record<Kind, readonly (readonly [field: string, target: Kind])[]>> = {
  person: [['subjects', 'subject']],
  subject: [],
  location: [
    ['subjects', 'subject'],
    ['related_locations', 'location'],
    ['events', 'event'],
  ],
  event: [
    ['subjects', 'subject'],
    ['persons', 'person'],
    ['location', 'location'],
  ],
};

/** The kinds that records of a kind refer to, also in embedded records. */
export function namedKinds(kind: Kind): ReadonlySet<Kind> {
  // A subject refers to its parent.
  const found = new Set<Kind>(kind === 'subject' ? [kind] : []);
  const follow = (from: Kind) => {
    for (const [, target] of REFERENCE_FIELDS[from]) {
      if (found.has(target)) continue;
      found.add(target);
      follow(target);
    }
  };
  follow(kind);
  return found;
}

/** Visits all references in a record: API references, embedded records and their references, and a subject's parent. */
export function eachReference(kind: Kind, record: LooseRecord, visit: OnReference, within = ''): void {
  for (const [name, target] of REFERENCE_FIELDS[kind]) {
    const value = record[name];
    if (Array.isArray(value)) for (const each of value) referTo(within + name, target, each, visit);
    else referTo(within + name, target, value, visit);
  }
  const parent = record['parent'];
  if (kind === 'subject' && typeof parent === 'number') visit(`${within}parent`, 'subject', String(parent));
}

function referTo(field: string, kind: Kind, value: unknown, visit: OnReference): void {
  if (typeof value === 'string') visit(field, kind, value);
  else if (isObject(value)) {
    visit(field, kind, String(value['uuid']));
    eachReference(kind, value, visit, `${field}.`);
  }
}

/** The key of the record that a reference points to; an invalid reference is returned unchanged, so that it is reported. */
export function keyOfReference(reference: string): string {
  return uuidOfReference(reference) ?? reference;
}

/** Collects all references in a record. */
export function referencesOf(kind: Kind, record: LooseRecord): Reference[] {
  const found: Reference[] = [];
  eachReference(kind, record, (field, target, reference) => {
    found.push({ field, kind: target, key: keyOfReference(reference) });
  });
  return found;
}
