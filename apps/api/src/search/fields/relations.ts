import type { Kind } from '@archiefkast/types';

/** A field with which records of a kind refer to others. */
export interface Relation {
  /** `<kind>.<field>` of the referring records. */
  name: string;
  source: Kind;
  /** The field: it contains uuids, API references or records; `parent` contains an id. */
  field: string;
  target: Kind;
}

/** All fields with which records refer to others. */
export const RELATIONS: readonly Relation[] = [
  relation('person', 'subjects', 'subject'),
  relation('subject', 'parent', 'subject'),
  relation('location', 'subjects', 'subject'),
  relation('location', 'related_locations', 'location'),
  relation('event', 'persons', 'person'),
  relation('event', 'location', 'location'),
  relation('event', 'subjects', 'subject'),
];

/** A relation in one direction: the records at one end are the hits. */
export interface End {
  relation: Relation;
  /** Which records are hits: those that refer to the given one, or those that it refers to. */
  hits: 'source' | 'target';
}

/** A field of `q` whose value is a reference. */
export interface ReferenceField {
  /** Kind of the referenced record. */
  kind: Kind;
  ends: readonly End[];
  /** Whether its descendants (by `parent`) are included. */
  withDescendants?: true;
}

const SUBJECT = referenceField('subject', 'person.subjects', 'location.subjects', 'event.subjects');

/** The reference fields of `q`. Relations are used in both directions; `parent` only downwards. */
export const REFERENCE_FIELDS: Readonly<Record<string, ReferenceField>> = {
  person: referenceField('person', 'event.persons', 'person.subjects'),
  subject: SUBJECT,
  under: { ...SUBJECT, withDescendants: true },
  location: referenceField('location', 'event.location', 'location.subjects'),
  event: referenceField('event', 'event.persons', 'event.subjects', 'event.location'),
  parent: { kind: 'subject', ends: [{ relation: relationNamed('subject.parent'), hits: 'source' }] },
  related: referenceField('location', 'location.related_locations'),
};

/** The kinds of records that a reference field can find. */
export function kindsFoundBy({ ends }: ReferenceField): Kind[] {
  return [...new Set(ends.map(({ relation, hits }) => relation[hits]))];
}

/** The ends of a reference field with hits of a kind. */
export function endsBetween(hits: Kind, field: string): End[] {
  return REFERENCE_FIELDS[field]?.ends.filter((end) => end.relation[end.hits] === hits) ?? [];
}

/** The relation with a name. */
export function relationNamed(name: string): Relation {
  const found = RELATIONS.find((each) => each.name === name);
  if (!found)
    throw new RangeError(`${name}: expected one of ${RELATIONS.map((each) => each.name).join(', ')}`);
  return found;
}

function relation(source: Kind, field: string, target: Kind): Relation {
  return { name: `${source}.${field}`, source, field, target };
}

/** A field with a reference to a record of `kind`: it finds the other ends of relations; both ends if both are of that kind. */
function referenceField(kind: Kind, ...names: string[]): ReferenceField {
  const ends = names.map(relationNamed).flatMap((relation) => {
    const found: End[] = [];
    if (relation.target === kind) found.push({ relation, hits: 'source' });
    if (relation.source === kind) found.push({ relation, hits: 'target' });
    return found;
  });
  return { kind, ends };
}
