import type { Kind, Language } from '@archiefkast/types';
import { htmlReading } from '../html/html-reading.ts';
import { joinList } from '../tables/list-cell.ts';
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
export function field(name: string, description: string, type: CsvType = 'string'): CsvColumn {
  return { name, type, description, cell: (record) => textOf(record[name]) };
}

/** The text of a field of HTML: as plain text, with footnotes marked `[1]`, or as it is. */
export function htmlField(name: string, description: string, asHtml: boolean): CsvColumn {
  const written = asHtml ? 'HTML' : 'plain text, with footnotes marked [1]';
  return {
    name,
    type: 'string',
    description: `${description} (${written}).`,
    cell: (record) => (asHtml ? textOf(record[name]) : htmlReading(textOf(record[name])).text),
  };
}

/** The year of the first of these dates that is known. */
export function year(name: string, description: string, ...dates: string[]): CsvColumn {
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
export function list(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(textOf)) };
}

/** The uuids of the records that a field refers to, or embeds. */
export function uuids(name: string, description: string): CsvColumn {
  return { name, type: 'list', description, cell: (record) => joinList(listOf(record[name]).map(uuidOf)) };
}

/** The names of the records that a field refers to, in the order of their uuids; empty when none is known. */
export function names(name: string, description: string, from: string, kind: Kind): CsvColumn {
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
export function textLanguage(name: string): CsvColumn {
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
export function imageColumns(from: string): CsvColumn[] {
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
