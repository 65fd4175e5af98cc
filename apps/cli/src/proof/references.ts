import type { Kind } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import { isObject, type LooseRecord } from '../records/placed-records.ts';

/** What one record says of another. */
export interface Reference {
  field: string;
  kind: Kind;
  /** The uuid of the record, or the id of a parent subject. */
  key: string;
}

/**
 * Is told of a reference.
 *
 * @param reference as it stands in the record: an address, a uuid, the id of a parent subject
 */
export type OnReference = (field: string, kind: Kind, reference: string) => void;

/** The fields by which the records of each kind name others. */
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

/** The kinds that records of a kind name, themselves or in what is embedded in them. */
export function namedKinds(kind: Kind): ReadonlySet<Kind> {
  // A subject names its parent.
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

/** Tells all references in a record: API references, embedded records with their own, and a subject's parent. */
export function eachReference(kind: Kind, record: LooseRecord, tell: OnReference, within = ''): void {
  for (const [name, target] of REFERENCE_FIELDS[kind]) {
    const value = record[name];
    if (Array.isArray(value)) for (const each of value) referTo(within + name, target, each, tell);
    else referTo(within + name, target, value, tell);
  }
  const parent = record['parent'];
  if (kind === 'subject' && typeof parent === 'number') tell(`${within}parent`, 'subject', String(parent));
}

function referTo(field: string, kind: Kind, value: unknown, tell: OnReference): void {
  if (typeof value === 'string') tell(field, kind, value);
  else if (isObject(value)) {
    tell(field, kind, String(value['uuid']));
    eachReference(kind, value, tell, `${field}.`);
  }
}

/** The key of the record that a reference names; what is no reference stays as it is, so that it is reported. */
export function keyOfReference(reference: string): string {
  return uuidOfReference(reference) ?? reference;
}

/** All references in a record. */
export function referencesOf(kind: Kind, record: LooseRecord): Reference[] {
  const found: Reference[] = [];
  eachReference(kind, record, (field, target, reference) => {
    found.push({ field, kind: target, key: keyOfReference(reference) });
  });
  return found;
}
