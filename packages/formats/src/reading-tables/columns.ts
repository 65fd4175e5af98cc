import type { Kind, KnownDates, Language } from '@archiefkast/types';
import {
  type FieldColumn,
  KIND_FACTS,
  RECORD_COLUMN_FIELDS,
  RECORD_FIELDS,
} from '@archiefkast/types/internal';
import { htmlReading } from '../html/html-reading.ts';
import { type Fields, NAMED, nameOf, type RecordNames, uuidOf } from '../record-names.ts';
import { joinList } from '../tables/cells.ts';
import { languageOfText, listOf, textOf } from './cells.ts';

export interface ReadingContext {
  /** The language of fields without a suffix. */
  language: Language;
  names: RecordNames;
}

/** Optional content of tables for reading. */
export interface ReadingOptions {
  /** Texts in both languages; titles and names always are. */
  both?: boolean;
  html?: boolean;
}

export interface ReadingColumn {
  name: string;
  /** Lists are joined by `|`. */
  type: 'string' | 'integer' | 'number' | 'date' | 'list';
  description: string;
  /** The records that the values of the column are keys of. */
  link?: { kind: Kind; key: 'uuid' | 'id' };
}

export interface RecordColumn extends ReadingColumn {
  cell(record: Fields, context: ReadingContext): string;
}

/** The fields whose columns come after the texts. */
const AFTER_TEXTS = new Set(['subjects', 'events', 'related_locations', 'same_as']);

/** The columns of the records of a kind: the key, then its fields in order, with derived columns. */
export function recordColumns(kind: Kind, options: ReadingOptions): RecordColumn[] {
  // The subjects of events come from their locations and the supplement.
  const fields = RECORD_COLUMN_FIELDS[kind].filter(
    ({ name }) => name === 'subjects' || RECORD_FIELDS[kind].includes(name),
  );
  const columnsOf = (isWanted: (one: FieldColumn) => boolean) =>
    fields.filter(isWanted).flatMap((one) => fieldColumns(kind, one, options));
  const isKey = ({ name }: FieldColumn) => name === 'uuid';
  const isAfterTexts = ({ name }: FieldColumn) => AFTER_TEXTS.has(name);
  const { text, image } = KIND_FACTS[kind];
  return [
    ...columnsOf(isKey),
    ...columnsOf((one) => !isKey(one) && !isAfterTexts(one)),
    column(
      'text_language',
      'string',
      `The language that ${text} is in: en or nl; empty without ${text}.`,
      (record, { language }) => languageOfText(record, text, language),
    ),
    ...columnsOf(isAfterTexts),
    ...imageColumns(image),
    field('url', "Address of the record's public page."),
  ];
}

function column(
  name: string,
  type: ReadingColumn['type'],
  description: string,
  cell: RecordColumn['cell'],
): RecordColumn {
  return { name, type, description, cell };
}

/** A column with an unchanged field; null becomes empty. */
function field(name: string, description: string, type: ReadingColumn['type'] = 'string'): RecordColumn {
  return column(name, type, description, (record) => textOf(record[name]));
}

/** The columns of a field: its own, and those derived from it. */
function fieldColumns(
  kind: Kind,
  one: FieldColumn,
  { both = false, html = false }: ReadingOptions,
): RecordColumn[] {
  const { name, type, short, language } = one;
  const isText = !/^(?:title|name)(?:_|$)/.test(name);
  if (isText && !both && (language === 'nl' || language === 'en')) return [];
  switch (type) {
    case 'boolean':
    case 'json':
      return [];
    case 'id':
      return [field(name, `${short}.`, 'integer')];
    case 'date':
      return [
        field(name, `${short}; the first that it can be, where less than a day is known.`, 'date'),
        field(knownField(name), `What is known of ${name}, in EDTF (1650, 1650~, 165X); empty for a day.`),
        ...(YEARS[name] ?? []),
      ];
    case 'degrees':
      return [field(name, `${short}.`, 'number')];
    case 'html': {
      const written = html ? 'HTML' : 'plain text, with footnotes marked [1]';
      const description = `${short}, ${LANGUAGE_OF_TEXT[language ?? 'asked']} (${written}).`;
      return [
        column(name, 'string', description, (record) => {
          const text = textOf(record[name]);
          return html ? text : htmlReading(text).text;
        }),
      ];
    }
    case 'urls':
      return [column(name, 'list', `${short}.`, (record) => joinList(listOf(record[name]).map(textOf)))];
    case 'reference':
      return name === 'parent' ? parentColumns(one) : embeddedColumns(one);
    case 'references':
      return referenceColumns(kind, one);
    default:
      return [field(name, language ? `${short}, ${LANGUAGE_OF_NAME[language]}.` : `${short}.`)];
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
const YEARS: Readonly<Record<string, RecordColumn[]>> = {
  birth_date: [yearColumn('birth_year', 'Year of birth.', 'birth_date')],
  death_date: [yearColumn('death_year', 'Year of death.', 'death_date')],
  date_end: [
    yearColumn('year', 'Year of date, or else of date_start or date_end.', 'date', 'date_start', 'date_end'),
  ],
};

function yearColumn(name: string, description: string, ...dates: string[]): RecordColumn {
  return column(name, 'integer', description, (record) => {
    const date = dates.map((one) => record[one]).find((one) => typeof one === 'string');
    return typeof date === 'string' ? String(Number(date.slice(0, 4))) : '';
  });
}

/** The name of the field with what is known of a date of which the record has the first day. */
function knownField(date: string): string {
  return `${date}_known`;
}

/** A record with what is known of its dates, for the columns that say so. */
export function withKnownDates(record: Fields, dates: KnownDates = {}): Fields {
  const known = Object.entries(dates).map(([date, edtf]) => [knownField(date), edtf] as const);
  return known.length > 0 ? { ...record, ...Object.fromEntries(known) } : record;
}

function parentColumns({ name, short }: FieldColumn): RecordColumn[] {
  return [
    { ...field(name, `${short}.`, 'integer'), link: { kind: 'subject', key: 'id' } },
    column('parent_name', 'string', 'Name of the parent subject.', ({ parent }, { names }) =>
      typeof parent === 'number' ? (names.ofSubject(parent) ?? '') : '',
    ),
  ];
}

/** Columns with the name and uuid of the record that a field embeds. */
function embeddedColumns({ name, short, target = 'location' }: FieldColumn): RecordColumn[] {
  return [
    column(`${name}_name`, 'string', `Name of the ${uncapitalized(short)}.`, (record, { names }) =>
      nameOf(target, record[name], names),
    ),
    {
      ...column(name, 'string', `UUID of the ${uncapitalized(short)}.`, (record) =>
        record[name] ? uuidOf(record[name]) : '',
      ),
      link: { kind: target, key: 'uuid' },
    },
  ];
}

/** Columns with the names, if available, and uuids of the records that a field refers to, in the same order. */
function referenceColumns(kind: Kind, { name, short, target = kind }: FieldColumn): RecordColumn[] {
  const uuids = (description: string): RecordColumn => ({
    ...column(name, 'list', description, (record) => joinList(listOf(record[name]).map(uuidOf))),
    link: { kind: target, key: 'uuid' },
  });
  if (!(name in NAMED)) return [uuids(`${short}.`)];
  const those = uncapitalized(short);
  const isReferred = kind === 'person' || (kind === 'event' && name === 'subjects');
  const note = isReferred ? '; empty where subjects were not harvested' : '';
  return [
    column(`${target}_names`, 'list', `Names of the ${those}${note}.`, (record, { names }) => {
      const found = listOf(record[name]).map((value) => nameOf(target, value, names));
      return found.every((one) => one === '') ? '' : joinList(found);
    }),
    uuids(`UUIDs of the ${those}, in the same order.`),
  ];
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The columns of a record's image. @param from name of the image field */
function imageColumns(from: string): RecordColumn[] {
  const part = (name: string, fields: readonly string[], description: string) =>
    column(name, 'string', description, (record) => {
      const image: Fields = Object(record[from]);
      return fields.map((one) => textOf(image[one])).find((text) => text !== '') ?? '';
    });
  return [
    part('image_url', ['url', 'path'], 'Where the image is: its url, or its path where that is empty.'),
    part('image_caption', ['title'], 'Caption of the image.'),
    part('image_credit', ['alt'], 'Credit line of the image.'),
    part('image_author', ['author'], 'Usage statement of the image.'),
    part('image_copyright', ['copyright'], 'Rights statement of the image.'),
  ];
}
