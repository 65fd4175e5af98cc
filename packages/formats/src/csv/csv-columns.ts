import type { Kind, Language } from '@archiefkast/types';
import { htmlReading } from '../html/html-reading.ts';
import { joinList } from '../tables/cells.ts';
import { type Fields, nameOf, type RecordNames, uuidOf } from './record-names.ts';

/** What the cells of a column hold: lists are joined by `|`. */
export type CsvType = 'string' | 'integer' | 'number' | 'date' | 'list';

/** What cells are made with. */
export interface CsvContext {
  /** The language of the unsuffixed fields. */
  language: Language;
  names: RecordNames;
}

/** A column of a CSV file that is made for reading and counting. */
export interface CsvColumn {
  name: string;
  type: CsvType;
  /** What it holds, in a sentence. */
  description: string;
  cell(record: Fields, context: CsvContext): string;
}

/** A field as it is; null is empty. */
function field(name: string, description: string, type: CsvType = 'string'): CsvColumn {
  return { name, type, description, cell: (record) => textOf(record[name]) };
}

/** The text of a field of HTML: as plain text, with footnotes marked `[1]`, or as it is. */
function htmlField(name: string, description: string, asHtml: boolean): CsvColumn {
  const written = asHtml ? 'HTML' : 'plain text, with footnotes marked [1]';
  return {
    name,
    type: 'string',
    description: `${description} (${written}).`,
    cell: (record) => (asHtml ? textOf(record[name]) : htmlReading(textOf(record[name])).text),
  };
}

/** The year of the first of these dates that is known. */
function year(name: string, description: string, ...dates: string[]): CsvColumn {
  return {
    name,
    type: 'integer',
    description,
    cell(record) {
      const date = dates.map((one) => record[one]).find((one) => typeof one === 'string');
      return typeof date === 'string' ? String(Number(date.slice(0, 4))) : '';
    },
  };
}

/** A list of plain values. */
function list(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(textOf)) };
}

/** The uuids of the records that a field refers to, or embeds. */
function uuids(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(uuidOf)) };
}

/** The names of the records that a field refers to, in the order of their uuids; empty when none is known. */
function names(name: string, description: string, from: string, kind: Kind): CsvColumn {
  return {
    name,
    type: 'list',
    description,
    cell(record, context) {
      const found = listOf(record[from]).map((value) => nameOf(kind, value, context.names));
      return found.every((one) => one === '') ? '' : joinList(found);
    },
  };
}

/** Which language a text that is served in a language really is in: `en`, `nl`, or empty without a text. */
function textLanguage(name: string): CsvColumn {
  return {
    name: 'text_language',
    type: 'string',
    description: `The language that ${name} is in: en or nl; empty without ${name}.`,
    cell: (record, { language }) => languageOfText(record, name, language),
  };
}

/** The language that the text of a field is in; empty without a text. */
export function languageOfText(record: Fields, name: string, language: Language): Language | '' {
  if (textOf(record[name]) === '') return '';
  const other = language === 'en' ? 'nl' : 'en';
  return textOf(record[`${name}_${language}`]) === '' && textOf(record[`${name}_${other}`]) !== ''
    ? other
    : language;
}

/** The columns of a record's image. @param from the field that holds it */
function imageColumns(from: string): CsvColumn[] {
  const part = (name: string, fields: readonly string[], description: string): CsvColumn => ({
    name,
    type: 'string',
    description,
    cell(record) {
      const image: Fields = Object(record[from]);
      return fields.map((one) => textOf(image[one])).find((text) => text !== '') ?? '';
    },
  });
  return [
    part('image_url', ['url', 'path'], 'Where the image is: its url, or its path where that is empty.'),
    part('image_caption', ['title'], 'Caption of the image.'),
    part('image_credit', ['alt'], 'Credit line of the image.'),
    part('image_author', ['author'], 'Usage statement of the image.'),
    part('image_copyright', ['copyright'], 'Rights statement of the image.'),
  ];
}

/** A plain value as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The elements of a list; none when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What CSV files hold beside what they always do. */
export interface CsvOptions {
  /** Texts in both languages. Titles and names always are. */
  both?: boolean;
  /** Texts as HTML in place of plain text. */
  html?: boolean;
}

/** The field of each kind's records that holds its text. */
export const TEXT_FIELD = {
  person: 'content',
  subject: 'description',
  location: 'content',
  event: 'content',
} as const satisfies Record<Kind, string>;

/** The field of each kind's records that holds its image. */
const IMAGE = { person: 'image', subject: 'image', location: 'main_image', event: 'main_image' } as const;

const NO_SUBJECTS = 'empty where subjects were not harvested';

/** The columns of each kind's CSV, which is made for reading and counting. */
export function csvColumns(kind: Kind, options: CsvOptions = {}): CsvColumn[] {
  return [
    field('uuid', 'UUID of the record: the key by which others refer to it.'),
    field('id', 'Number of the record, unique within its kind.', 'integer'),
    ...OWN_COLUMNS[kind].before,
    ...texts(kind, options),
    textLanguage(TEXT_FIELD[kind]),
    ...OWN_COLUMNS[kind].after,
    ...imageColumns(IMAGE[kind]),
    field('url', "Address of the record's public page."),
  ];
}

function named(name: string, what: string): CsvColumn[] {
  return [
    field(name, `${what}, in the language of the harvest; in Dutch where there is no English.`),
    field(`${name}_nl`, `${what}, in Dutch.`),
    field(`${name}_en`, `${what}, in English.`),
  ];
}

function texts(kind: Kind, { both = false, html = false }: CsvOptions): CsvColumn[] {
  const name = TEXT_FIELD[kind];
  const what = kind === 'person' ? 'Biography' : 'Description';
  const variants = both
    ? ([
        ['_nl', 'in Dutch'],
        ['_en', 'in English'],
      ] as const)
    : [];
  return [
    field('summary', 'Summary, in the language of the harvest; in Dutch where there is no English.'),
    ...variants.map(([end, language]) => field(`summary${end}`, `Summary, ${language}.`)),
    htmlField(name, `${what}, in the language of text_language`, html),
    ...variants.map(([end, language]) => htmlField(`${name}${end}`, `${what}, ${language}`, html)),
  ];
}

const subjectsOf = (what: string): CsvColumn[] => [
  names(
    'subject_names',
    `Names of the subjects of the ${what}${what === 'person' ? `; ${NO_SUBJECTS}` : ''}.`,
    'subjects',
    'subject',
  ),
  uuids('subjects', `UUIDs of the subjects of the ${what}, in the same order.`),
];

/** What stands before and after the texts. */
const OWN_COLUMNS: Readonly<Record<Kind, { before: readonly CsvColumn[]; after: readonly CsvColumn[] }>> = {
  person: {
    before: [
      ...named('title', 'Full display name'),
      field('first_name', 'Given name or names, or the whole name of an entry that is not human.'),
      field('infix', 'Name particle such as "van der".'),
      field('last_name', 'Last name, without infix.'),
      field('gender', 'Gender.'),
      field('birth_date', 'Date of birth.', 'date'),
      year('birth_year', 'Year of birth.', 'birth_date'),
      field('birth_place', 'Place of birth.'),
      field('birth_country', 'Country of birth.'),
      field('death_date', 'Date of death.', 'date'),
      year('death_year', 'Year of death.', 'death_date'),
      field('death_place', 'Place of death.'),
      field('death_country', 'Country of death.'),
    ],
    after: subjectsOf('person'),
  },
  subject: {
    before: [
      ...named('name', 'Name'),
      field('parent', 'id of the parent subject; empty for one at the top.', 'integer'),
      {
        name: 'parent_name',
        type: 'string',
        description: 'Name of the parent subject.',
        cell: ({ parent }, { names }) => (typeof parent === 'number' ? (names.ofSubject(parent) ?? '') : ''),
      },
    ],
    after: [list('same_as', 'Addresses of the same subject in external vocabularies.')],
  },
  location: {
    before: [
      ...named('name', 'Name'),
      field('street', 'Street and number.'),
      field('zipcode', 'Postal code.'),
      field('city', 'City.'),
      field('state', 'Province or state.'),
      field('land', 'Name of the country.'),
      field('latitude', 'Latitude in decimal degrees (WGS 84).', 'number'),
      field('longitude', 'Longitude in decimal degrees (WGS 84).', 'number'),
    ],
    after: [
      ...subjectsOf('location'),
      uuids('events', 'UUIDs of the events at the location.'),
      uuids('related_locations', 'UUIDs of related locations.'),
    ],
  },
  event: {
    before: [
      ...named('name', 'Name'),
      field('date', 'Date of the event.', 'date'),
      field('date_start', 'First day of an event of several days.', 'date'),
      field('date_end', 'Last day of an event of several days.', 'date'),
      year('year', 'Year of date, or else of date_start or date_end.', 'date', 'date_start', 'date_end'),
      {
        name: 'location_name',
        type: 'string',
        description: 'Name of the location of the event.',
        cell: ({ location }, { names }) => nameOf('location', location, names),
      },
      {
        name: 'location',
        type: 'string',
        description: 'UUID of the location of the event.',
        cell: ({ location }) => (location ? uuidOf(location) : ''),
      },
      names('person_names', 'Names of the persons of the event.', 'persons', 'person'),
      uuids('persons', 'UUIDs of the persons of the event, in the same order.'),
    ],
    after: [],
  },
};
