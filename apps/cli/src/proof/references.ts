import { type Kind, uuidOfReference } from '@archive/types';
import { isObject, type LooseRecord } from '../records/placed-records.ts';

/** What one record says of another. */
export interface Reference {
  field: string;
  kind: Kind;
  /** The uuid of the record, or the id of a parent subject. */
  key: string;
}

/** The fields by which the records of each kind name others. */
const REFERENCE_KINDS: Readonly<Record<Kind, Readonly<Record<string, Kind>>>> = {
  person: { subjects: 'subject' },
  subject: {},
  location: { subjects: 'subject', related_locations: 'location', events: 'event' },
  event: { subjects: 'subject', persons: 'person', location: 'location' },
};

/** All references in a record: API references, embedded records with their own, and a subject's parent. */
export function referencesOf(kind: Kind, record: LooseRecord): Reference[] {
  const found = Object.entries(REFERENCE_KINDS[kind]).flatMap(([field, target]) => {
    const value = record[field];
    return (Array.isArray(value) ? value : [value]).flatMap((element) =>
      referencesTo(field, target, element),
    );
  });
  const parent = record['parent'];
  if (kind === 'subject' && typeof parent === 'number') {
    found.push({ field: 'parent', kind: 'subject', key: String(parent) });
  }
  return found;
}

function referencesTo(field: string, kind: Kind, value: unknown): Reference[] {
  if (typeof value === 'string') return [{ field, kind, key: uuidOfReference(value) ?? value }];
  if (!isObject(value)) return [];
  const inner = referencesOf(kind, value).map((reference) => ({
    ...reference,
    field: `${field}.${reference.field}`,
  }));
  return [{ field, kind, key: String(value['uuid']).toLowerCase() }, ...inner];
}
