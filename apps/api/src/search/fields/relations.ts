import type { Kind } from '@archiefkast/types';

/** A field by which records of a kind name others. */
export interface Relation {
  /** `<kind>.<field>` of the records that name others. */
  name: string;
  source: Kind;
  /** Holds uuids, API references or records; of `parent`, an id. */
  field: string;
  target: Kind;
}

/** Every field by which records name others. */
export const RELATIONS: readonly Relation[] = [
  relation('person', 'subjects', 'subject'),
  relation('subject', 'parent', 'subject'),
  relation('location', 'subjects', 'subject'),
  relation('location', 'related_locations', 'location'),
  relation('event', 'persons', 'person'),
  relation('event', 'location', 'location'),
  relation('event', 'subjects', 'subject'),
];

/** A relation seen from one of its ends: the records at the other end are the hits. */
export interface End {
  relation: Relation;
  /** Which records are hits: those that name the one asked for, or those that it names. */
  hits: 'source' | 'target';
}

/** What a field of `q` asks for that names a record. */
export interface ReferenceField {
  /** Kind of the record that is named. */
  kind: Kind;
  ends: readonly End[];
  /** Whether all records below it (by `parent`) are asked for with it. */
  withDescendants: boolean;
}

const SUBJECT_ENDS = ends('subject', 'person.subjects', 'location.subjects', 'event.subjects');

/** The fields of `q` that name a record. A relation is read from both of its ends; `parent` from above. */
export const REFERENCE_FIELDS: Readonly<Record<string, ReferenceField>> = {
  person: {
    kind: 'person',
    ends: ends('person', 'event.persons', 'person.subjects'),
    withDescendants: false,
  },
  subject: { kind: 'subject', ends: SUBJECT_ENDS, withDescendants: false },
  under: { kind: 'subject', ends: SUBJECT_ENDS, withDescendants: true },
  location: {
    kind: 'location',
    ends: ends('location', 'event.location', 'location.subjects'),
    withDescendants: false,
  },
  event: {
    kind: 'event',
    ends: ends('event', 'event.persons', 'event.subjects', 'event.location'),
    withDescendants: false,
  },
  parent: {
    kind: 'subject',
    ends: [{ relation: relationNamed('subject.parent'), hits: 'source' }],
    withDescendants: false,
  },
  related: {
    kind: 'location',
    ends: ends('location', 'location.related_locations'),
    withDescendants: false,
  },
};

/** The kinds of the records that a field naming a record can find. */
export function kindsFoundBy({ ends }: ReferenceField): Kind[] {
  return [...new Set(ends.map(({ relation, hits }) => relation[hits]))];
}

/** The ends at which records of a kind are that a field binds to a record. */
export function endsBetween(hits: Kind, field: string): End[] {
  return REFERENCE_FIELDS[field]?.ends.filter((end) => end.relation[end.hits] === hits) ?? [];
}

/** The relation called `name`. */
export function relationNamed(name: string): Relation {
  const found = RELATIONS.find((each) => each.name === name);
  if (!found)
    throw new RangeError(`${name}: expected one of ${RELATIONS.map((each) => each.name).join(', ')}`);
  return found;
}

function relation(source: Kind, field: string, target: Kind): Relation {
  return { name: `${source}.${field}`, source, field, target };
}

/** The ends of relations that are not at `kind`; both, where both are. */
function ends(kind: Kind, ...names: string[]): End[] {
  return names.map(relationNamed).flatMap((relation) => {
    const found: End[] = [];
    if (relation.target === kind) found.push({ relation, hits: 'source' });
    if (relation.source === kind) found.push({ relation, hits: 'target' });
    return found;
  });
}
