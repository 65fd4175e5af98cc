import type { Kind, Language } from '@archiefkast/types';
import { FILE_COLUMN_FIELDS, KIND_FACTS } from '@archiefkast/types/internal';
import { footnotesOf } from '../html/html-reading.ts';
import { type Fields, nameOfRecord } from '../record-names.ts';
import { joinList } from '../tables/cells.ts';
import { languageOfText, listOf, textOf } from './cells.ts';
import type { ReadingColumn, ReadingOptions } from './columns.ts';

const plain = (name: string, description: string, type: ReadingColumn['type'] = 'string'): ReadingColumn => ({
  name,
  type,
  description,
});

const OF_RECORD = [
  plain('record_kind', 'Kind of the record: person, subject, location or event.'),
  plain('record_uuid', 'UUID of the record.'),
  plain('record_name', 'Title or name of the record.'),
];

/** The columns of footnotes. */
export const FOOTNOTE_COLUMNS: readonly ReadingColumn[] = [
  ...OF_RECORD,
  plain('text_language', 'Language of the text that the footnote stands in.'),
  plain('number', 'Number of the footnote: [1] in the text.', 'integer'),
  plain('text', 'The footnote, as plain text.'),
  plain('links', 'Addresses that the footnote links to.', 'list'),
];

const FILE_FIELDS = FILE_COLUMN_FIELDS.map(({ name, short, type }) =>
  plain(name, `${short}.`, type === 'id' ? 'integer' : 'string'),
);

/** The columns of images and files. */
export const FILES_COLUMNS: readonly ReadingColumn[] = [
  ...OF_RECORD,
  plain('role', 'What the file is to the record: image or file.'),
  plain('number', 'Place among the files of the record, from 1; empty for its image.', 'integer'),
  ...FILE_FIELDS,
];

/** The rows of a record's footnotes, in the language of its text or, with `both`, in each language. */
export function footnoteRows(
  kind: Kind,
  record: Fields,
  language: Language,
  { both = false }: ReadingOptions,
): string[][] {
  const name = KIND_FACTS[kind].text;
  const texts = both
    ? (['nl', 'en'] as const).map((one) => [one, record[`${name}_${one}`]] as const)
    : [[languageOfText(record, name, language), record[name]] as const];
  return texts.flatMap(([textLanguage, html]) =>
    footnotesOf(textOf(html)).map(({ number, text, links }) => [
      ...ofRecord(kind, record),
      textLanguage,
      String(number),
      text,
      joinList(links),
    ]),
  );
}

/** The rows of a record's images, then of its files. */
export function fileRows(kind: Kind, record: Fields): string[][] {
  const row = (file: unknown, role: string, number: string) => {
    const fields: Fields = Object(file);
    return [...ofRecord(kind, record), role, number, ...FILE_FIELDS.map(({ name }) => textOf(fields[name]))];
  };
  const images = [record['image'], record['main_image']].filter((image) => image);
  return [
    ...images.map((image) => row(image, 'image', '')),
    ...listOf(record['files']).map((file, place) => row(file, 'file', String(place + 1))),
  ];
}

function ofRecord(kind: Kind, record: Fields): string[] {
  return [kind, textOf(record['uuid']), nameOfRecord(record)];
}
