import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { kindsFoundBy, REFERENCE_FIELDS } from './relations.ts';

/** A record as the search index reads it: the JSON object of the API, without embedded records. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A field's value as text; `""` if it is absent or not a string or number. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/**
 * How the value of a field is compared with the search value: it contains it (`place`: the name or address of a place does),
 * equals it (`whole`, `number`), or has it among others (`element`); a `date` contains it or is in the range `from..to`, a text
 * has its `words`, a record is `near` the point or `within` the box, and refers to the record, or the record to it.
 */
export type Matching =
  | 'contains'
  | 'whole'
  | 'number'
  | 'date'
  | 'element'
  | 'place'
  | 'words'
  | 'near'
  | 'within'
  | 'reference'
  | 'kind';

/** A field for use before the colon in `q`. */
export interface SearchField {
  name: string;
  /** Kinds whose records have the field; only these can be hits. */
  kinds: readonly Kind[];
  /** The record fields to compare, or values derived from them; one match suffices. */
  columns: readonly string[];
  matching: Matching;
  /** The valid values, if there is a fixed set. */
  values?: readonly string[];
  description: string;
}

/** The valid values of `has:`. */
export const FEATURES = ['image', 'coordinates', 'english'] as const;

const NAMED: readonly Kind[] = ['subject', 'location', 'event'];

/** Every field of `q`. The API documentation is generated from this list. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  field('kind', KINDS, 'Kind of the record.', 'kind', []),
  reference('person', 'Events of a person, and subjects of that person.'),
  reference('subject', 'Persons, locations and events that have a subject.'),
  reference('under', 'Persons, locations and events that have a subject or one below it, at any depth.'),
  reference('location', 'Events at a location, and subjects of that location.'),
  reference('event', 'Persons, subjects and the location of an event.'),
  reference('parent', 'Subjects right below a subject.'),
  reference('related', 'Locations that a location is related to, whichever of the two names the other.'),
  field('id', KINDS, 'Number of the record; the whole number.', 'number'),
  field('uuid', KINDS, 'UUID of the record, or a part of it.'),
  field('first_name', ['person'], 'Given names of a person.'),
  field('last_name', ['person'], 'Last name of a person.'),
  field('infix', ['person'], 'Name particle of a person, such as "van der".'),
  ...multilingual('title', ['person'], 'Full display name of a person'),
  field('birth_date', ['person'], 'Date of birth.', 'date'),
  field('death_date', ['person'], 'Date of death.', 'date'),
  field('gender', ['person'], 'Gender of a person; the whole value.', 'whole'),
  field('birth_place', ['person'], 'Place of birth.'),
  field('birth_country', ['person'], 'Country of birth.'),
  field('death_place', ['person'], 'Place of death.'),
  field('death_country', ['person'], 'Country of death.'),
  field(
    'century',
    ['person', 'event'],
    'Century from birth to death, or of an event: 17 is 1601–1700.',
    'element',
  ),
  ...multilingual('name', NAMED, 'Name of a subject, location or event'),
  field('street', ['location'], 'Street and number of a location.'),
  field('zipcode', ['location'], 'Postal code of a location.'),
  field('city', ['location'], 'City of a location.'),
  field('state', ['location'], 'Province or state of a location.'),
  field('land', ['location'], 'Country of a location.'),
  field('date', ['event'], 'Date of an event.', 'date'),
  field('date_start', ['event'], 'First day of an event of several days.', 'date'),
  field('date_end', ['event'], 'Last day of an event of several days.', 'date'),
  field(
    'place',
    ['person', 'location', 'event'],
    'Locations with this name or address, events there, and persons born or who died there.',
    'place',
    [],
  ),
  field('near', ['location'], 'Around a point.', 'near', []),
  field('within', ['location'], 'In a box of degrees.', 'within', []),
  {
    ...field('has', KINDS, 'What a record has: an image, coordinates, or a text in English.', 'element'),
    values: FEATURES,
  },
  field('content', KINDS, 'Texts and footnotes, in either language.', 'words', []),
  field('summary', KINDS, 'Summaries, in either language.', 'words', []),
];

/** The search field with a name; undefined if unknown. */
export function searchField(name: string): SearchField | undefined {
  return SEARCH_FIELDS.find((candidate) => candidate.name === name);
}

/** The fields of full names. */
export const FULL_NAMES = ['title', 'name'].flatMap((name) => searchField(name) ?? []);

/** The name fields of records. */
export const NAMES = ['title', 'last_name', 'name'].flatMap((name) => searchField(name) ?? []);

/** The fields of the contract: nothing in their value is an operator. */
const VERBATIM: readonly string[] = ['last_name', 'city'];

/** Whether the value of a field is taken as it stands. */
export function isVerbatim(name: string): boolean {
  return VERBATIM.includes(name);
}

/** Whether values of a field are suggested: only texts, whose start a reader may know. */
export function hasSuggestions({ name, matching }: SearchField): boolean {
  return matching === 'contains' || name === 'gender';
}

/** The searchable fields of a kind. */
export function searchableColumns(kind: Kind): string[] {
  const fields = SEARCH_FIELDS.filter((candidate) => candidate.kinds.includes(kind));
  return [...new Set(fields.flatMap((candidate) => candidate.columns))];
}

function field(
  name: string,
  kinds: readonly Kind[],
  description: string,
  matching: Matching = 'contains',
  columns: readonly string[] = [name],
): SearchField {
  return { name, kinds, columns, matching, description };
}

function multilingual(name: string, kinds: readonly Kind[], description: string): SearchField[] {
  const [dutch, english] = [`${name}_nl`, `${name}_en`];
  return [
    field(name, kinds, `${description}, in either language.`, 'contains', [dutch, english]),
    field(dutch, kinds, `${description}, in Dutch.`),
    field(english, kinds, `${description}, in English.`),
  ];
}

function reference(name: string, description: string): SearchField {
  const known = REFERENCE_FIELDS[name];
  return field(name, known ? kindsFoundBy(known) : [], description, 'reference', []);
}
