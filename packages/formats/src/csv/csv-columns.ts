import {
  type FieldColumn,
  type Kind,
  type Language,
  RECORD_COLUMN_FIELDS,
  RECORD_FIELDS,
} from '@archiefkast/types';
import { htmlReading } from '../html/html-reading.ts';
import { joinList } from '../tables/cells.ts';
import { IMAGE_FIELD } from '../tables/table-columns.ts';
import { type Fields, isNamed, nameOf, type RecordNames, uuidOf } from './record-names.ts';

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

/** The fields whose columns stand after the texts. */
const AFTER_TEXTS = new Set(['subjects', 'events', 'related_locations', 'same_as']);

/**
 * The columns of each kind's CSV, which is made for reading and counting: those of its fields in their order, with the
 * key first, and what is made of them.
 */
export function csvColumns(kind: Kind, options: CsvOptions = {}): CsvColumn[] {
  const fields = RECORD_COLUMN_FIELDS[kind].filter(({ name }) => RECORD_FIELDS[kind].includes(name));
  const columnsOf = (isWanted: (one: FieldColumn) => boolean) =>
    fields.filter(isWanted).flatMap((one) => fieldColumns(kind, one, options));
  const isKey = ({ name }: FieldColumn) => name === 'uuid';
  const isAfterTexts = ({ name }: FieldColumn) => AFTER_TEXTS.has(name);
  return [
    ...columnsOf(isKey),
    ...columnsOf((one) => !isKey(one) && !isAfterTexts(one)),
    textLanguage(TEXT_FIELD[kind]),
    ...columnsOf(isAfterTexts),
    ...imageColumns(IMAGE_FIELD[kind]),
    field('url', "Address of the record's public page."),
  ];
}

/** The columns of a field: its own, and those that are made of it. */
function fieldColumns(kind: Kind, one: FieldColumn, { both = false, html = false }: CsvOptions): CsvColumn[] {
  const { name, type } = one;
  const isText = !/^(?:title|name)(?:_|$)/.test(name);
  if (isText && !both && (one.language === 'nl' || one.language === 'en')) return [];
  switch (type) {
    case 'boolean':
    case 'json':
      return [];
    case 'id':
      return [field(name, `${one.short}.`, 'integer')];
    case 'date':
      return [field(name, `${one.short}.`, 'date'), ...(YEARS[name] ?? [])];
    case 'degrees':
      return [field(name, `${one.short}.`, 'number')];
    case 'html':
      return [htmlField(name, `${one.short}, ${LANGUAGE_OF_TEXT[one.language ?? 'asked']}`, html)];
    case 'urls':
      return [list(name, `${one.short}.`)];
    case 'reference':
      return name === 'parent' ? [field(name, `${one.short}.`, 'integer'), PARENT_NAME] : embedded(one);
    case 'references':
      return references(kind, one);
    default:
      return [
        field(name, one.language ? `${one.short}, ${LANGUAGE_OF_NAME[one.language]}.` : `${one.short}.`),
      ];
  }
}

const LANGUAGE_OF_TEXT = {
  asked: 'in the language of text_language',
  nl: 'in Dutch',
  en: 'in English',
} as const;
const LANGUAGE_OF_NAME = {
  ...LANGUAGE_OF_TEXT,
  asked: 'in the language of the harvest; in Dutch where there is no English',
} as const;

/** The columns that are made of dates, by the date after which they stand. */
const YEARS: Readonly<Record<string, CsvColumn[]>> = {
  birth_date: [year('birth_year', 'Year of birth.', 'birth_date')],
  death_date: [year('death_year', 'Year of death.', 'death_date')],
  date_end: [
    year('year', 'Year of date, or else of date_start or date_end.', 'date', 'date_start', 'date_end'),
  ],
};

const PARENT_NAME: CsvColumn = {
  name: 'parent_name',
  type: 'string',
  description: 'Name of the parent subject.',
  cell: ({ parent }, { names }) => (typeof parent === 'number' ? (names.ofSubject(parent) ?? '') : ''),
};

/** The name and the uuid of the record that a field embeds. */
function embedded({ name, short, target = 'location' }: FieldColumn): CsvColumn[] {
  return [
    {
      name: `${name}_name`,
      type: 'string',
      description: `Name of the ${uncapitalized(short)}.`,
      cell: (record, { names }) => nameOf(target, record[name], names),
    },
    {
      name,
      type: 'string',
      description: `UUID of the ${uncapitalized(short)}.`,
      cell: (record) => (record[name] ? uuidOf(record[name]) : ''),
    },
  ];
}

/** The uuids of the records that a field refers to, after their names where these can be found. */
function references(kind: Kind, one: FieldColumn): CsvColumn[] {
  const { name, short, target } = one;
  if (!target || !isNamed(name)) return [uuids(name, `${one.short}.`)];
  const those = uncapitalized(short);
  const note = kind === 'person' ? '; empty where subjects were not harvested' : '';
  return [
    names(`${target}_names`, `Names of the ${those}${note}.`, name, target),
    uuids(name, `UUIDs of the ${those}, in the same order.`),
  ];
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
