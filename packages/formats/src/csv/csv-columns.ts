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

/** The type of a column; lists are joined by `|`. */
export type CsvType = 'string' | 'integer' | 'number' | 'date' | 'list';

/** The context of a cell. */
export interface CsvContext {
  /** The language of fields without a suffix. */
  language: Language;
  names: RecordNames;
}

/** A column of a CSV file for reading and analysis. */
export interface CsvColumn {
  name: string;
  type: CsvType;
  /** Description of the content. */
  description: string;
  cell(record: Fields, context: CsvContext): string;
}

/** A column with an unchanged field; null becomes empty. */
function field(name: string, description: string, type: CsvType = 'string'): CsvColumn {
  return { name, type, description, cell: (record) => textOf(record[name]) };
}

/** A column with an HTML field, as plain text with footnotes marked `[1]`, or unchanged. */
function htmlField(name: string, description: string, asHtml: boolean): CsvColumn {
  const written = asHtml ? 'HTML' : 'plain text, with footnotes marked [1]';
  return {
    name,
    type: 'string',
    description: `${description} (${written}).`,
    cell: (record) => (asHtml ? textOf(record[name]) : htmlReading(textOf(record[name])).text),
  };
}

/** A column with the year of the first known date. */
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

/** A column with a list of plain values. */
function list(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(textOf)) };
}

/** A column with the uuids of the records that a field refers to or embeds. */
function uuids(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(uuidOf)) };
}

/** A column with the names of the records that a field refers to, in the order of their uuids; empty if all are unknown. */
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

/** A column with the actual language of a served text: `en`, `nl`, or empty without a text. */
function textLanguage(name: string): CsvColumn {
  return {
    name: 'text_language',
    type: 'string',
    description: `The language that ${name} is in: en or nl; empty without ${name}.`,
    cell: (record, { language }) => languageOfText(record, name, language),
  };
}

/** The actual language of the text of a field; empty without a text. */
export function languageOfText(record: Fields, name: string, language: Language): Language | '' {
  if (textOf(record[name]) === '') return '';
  const other = language === 'en' ? 'nl' : 'en';
  return textOf(record[`${name}_${language}`]) === '' && textOf(record[`${name}_${other}`]) !== ''
    ? other
    : language;
}

/** The columns of a record's image. @param from name of the image field */
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

/** The elements of a list; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Optional content of CSV files. */
export interface CsvOptions {
  /** Texts in both languages; titles and names always are. */
  both?: boolean;
  /** Texts as HTML instead of plain text. */
  html?: boolean;
}

/** The text field of each kind. */
export const TEXT_FIELD = {
  person: 'content',
  subject: 'description',
  location: 'content',
  event: 'content',
} as const satisfies Record<Kind, string>;

/** The fields whose columns come after the texts. */
const AFTER_TEXTS = new Set(['subjects', 'events', 'related_locations', 'same_as']);

/**
 * The columns of each kind's CSV for reading and analysis: the key, then its fields in order, with derived columns.
 */
export function csvColumns(kind: Kind, options: CsvOptions = {}): CsvColumn[] {
  // The subjects of events come from their locations and the supplement.
  const fields = RECORD_COLUMN_FIELDS[kind].filter(
    ({ name }) => name === 'subjects' || RECORD_FIELDS[kind].includes(name),
  );
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

/** The columns of a field: its own, and those derived from it. */
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

/** The columns derived from dates, by the date that they follow. */
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

/** Columns with the name and uuid of the record that a field embeds. */
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

/** Columns with the names, if available, and uuids of the records that a field refers to. */
function references(kind: Kind, one: FieldColumn): CsvColumn[] {
  const { name, short, target } = one;
  if (!target || !isNamed(name)) return [uuids(name, `${one.short}.`)];
  const those = uncapitalized(short);
  const isReferred = kind === 'person' || (kind === 'event' && name === 'subjects');
  const note = isReferred ? '; empty where subjects were not harvested' : '';
  return [
    names(`${target}_names`, `Names of the ${those}${note}.`, name, target),
    uuids(name, `UUIDs of the ${those}, in the same order.`),
  ];
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
