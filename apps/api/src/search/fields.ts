import { KINDS, type Kind } from '@archive/types';

/** How a field's value is compared with the value asked for. */
export type Matching =
  /** the value asked for occurs in the field's value */
  | 'contains'
  /** the whole value is the one asked for */
  | 'whole'
  /** contains, or lies in a range `from..to` */
  | 'date'
  /** the record is of the kind asked for */
  | 'kind';

/** A field that may stand before the colon in `q`. */
export interface SearchField {
  name: string;
  /** Kinds whose records have the field; only these can be hits. */
  kinds: readonly Kind[];
  /** The fields of the record that are looked at; one match suffices. */
  columns: readonly string[];
  matching: Matching;
  /** What the field means, for documentation. */
  description: string;
}

const NAMED: readonly Kind[] = ['subject', 'location', 'event'];

/** Every field of `q`. The documentation of the API is made from this list. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  { name: 'kind', kinds: KINDS, columns: [], matching: 'kind', description: 'Kind of the record.' },
  field('id', KINDS, 'Number of the record; the whole number.', 'whole'),
  field('uuid', KINDS, 'UUID of the record, or a part of it.'),
  field('first_name', ['person'], 'Given names of a person.'),
  field('last_name', ['person'], 'Last name of a person.'),
  field('infix', ['person'], 'Name particle of a person, such as "van der".'),
  ...multilingual('title', ['person'], 'Full display name of a person'),
  field('birth_date', ['person'], 'Date of birth.', 'date'),
  field('death_date', ['person'], 'Date of death.', 'date'),
  field('gender', ['person'], 'Gender of a person.'),
  field('birth_place', ['person'], 'Place of birth.'),
  field('birth_country', ['person'], 'Country of birth.'),
  field('death_place', ['person'], 'Place of death.'),
  field('death_country', ['person'], 'Country of death.'),
  ...multilingual('name', NAMED, 'Name of a subject, location or event'),
  field('street', ['location'], 'Street and number of a location.'),
  field('zipcode', ['location'], 'Postal code of a location.'),
  field('city', ['location'], 'City of a location.'),
  field('state', ['location'], 'Province or state of a location.'),
  field('land', ['location'], 'Country of a location.'),
  field('date', ['event'], 'Date of an event.', 'date'),
  field('date_start', ['event'], 'First day of an event of several days.', 'date'),
  field('date_end', ['event'], 'Last day of an event of several days.', 'date'),
];

/** The search field called `name`, or undefined when there is none. */
export function searchField(name: string): SearchField | undefined {
  return SEARCH_FIELDS.find((candidate) => candidate.name === name);
}

/** The fields of a kind's records that search can ask for. */
export function searchableColumns(kind: Kind): string[] {
  const fields = SEARCH_FIELDS.filter((candidate) => candidate.kinds.includes(kind));
  return [...new Set(fields.flatMap((candidate) => candidate.columns))];
}

function field(
  name: string,
  kinds: readonly Kind[],
  description: string,
  matching: Matching = 'contains',
): SearchField {
  return { name, kinds, columns: [name], matching, description };
}

function multilingual(name: string, kinds: readonly Kind[], description: string): SearchField[] {
  return [
    { ...field(name, kinds, `${description}, in either language.`), columns: [`${name}_nl`, `${name}_en`] },
    field(`${name}_nl`, kinds, `${description}, in Dutch.`),
    field(`${name}_en`, kinds, `${description}, in English.`),
  ];
}
