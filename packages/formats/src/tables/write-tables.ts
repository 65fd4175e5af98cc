import { COLLECTIONS, forKinds, isWebAddress, KINDS, type Kind } from '@archiefkast/types';
import { KIND_FACTS } from '@archiefkast/types/internal';
import { markdownOfHtml } from '../html/markdown-of-html.ts';
import { type Fields, uuidOf } from '../record-names.ts';
import type { SheetColumn, SheetContent } from '../workbook/write-workbook.ts';
import { csvLine } from '../write-csv.ts';
import { CELL_LIMIT, joinList } from './cells.ts';
import { COLUMN_TYPES } from './column-types.ts';
import { deriveUuid, idOfUuid } from './read-tables.ts';
import { ReferenceTexts } from './reference-names.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_TEXT_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
} from './table-columns.ts';

export interface TabledBundle {
  /** Reads the records of a kind; called several times, with the same result. */
  records(kind: Kind): AsyncIterable<Fields>;
  archive?: Fields | undefined;
}

/** The columns of each kind: texts as HTML and as Markdown, and those of an image. */
const COLUMNS = forKinds((kind): TableColumn[] => [
  ...RECORD_COLUMNS[kind].flatMap((column) =>
    column.type === 'html' ? [column, { ...column, name: `${column.name}_markdown` }] : [column],
  ),
  ...IMAGE_TEXT_COLUMNS,
]);

/** Whether a column is left out if it is empty in all rows. */
function isOptional({ name, type }: TableColumn): boolean {
  return (
    type === 'html' || name === 'published' || name === 'pictures' || /(?:^|_)(?:width|height)$/.test(name)
  );
}

/**
 * Creates the tables of an archive: one per kind, `files` and `archive`. References are names or ids, HTML that Markdown
 * gives exactly is Markdown, and images are in the rows of their records; nothing is lost. The records are read for their
 * names, then for texts longer than a cell, and again for every table.
 */
export async function tableContents({ records, archive }: TabledBundle): Promise<SheetContent[]> {
  const references = new ReferenceTexts();
  for (const kind of KINDS) for await (const record of records(kind)) references.add(kind, record);
  const tables: SheetContent[] = [];
  const files = new LongColumns(FILE_COLUMNS, isOptional);
  for (const kind of KINDS) {
    const long = new LongColumns(COLUMNS[kind], isOptional);
    for await (const record of records(kind)) {
      long.see(recordRow(kind, record, references));
      for (const row of fileRows(kind, record, references)) files.see(row);
    }
    for (const [place, { name }] of COLUMNS[kind].entries()) {
      if (name.endsWith('_markdown') && !long.has(place - 1)) long.use(place);
    }
    const rows = async function* () {
      for await (const record of records(kind)) yield long.spread(recordRow(kind, record, references));
    };
    tables.push({ name: COLLECTIONS[kind], columns: long.sheetColumns(), rows: rows() });
  }
  const rows = async function* () {
    for (const kind of KINDS) {
      for await (const record of records(kind)) {
        for (const row of fileRows(kind, record, references)) yield files.spread(row);
      }
    }
  };
  tables.push({ name: 'files', columns: files.sheetColumns(), rows: rows() });
  if (archive) {
    const row = ARCHIVE_COLUMNS.map(({ path: [first, second], type }) => {
      const value = (second === undefined ? archive[first] : Object(archive[first])[second]) ?? '';
      if (Array.isArray(value)) return COLUMN_TYPES[type].write(value);
      if (type === 'json') return value && JSON.stringify(value);
      return typeof value === 'object'
        ? Object.entries(value)
            .map((pair) => pair.join(' '))
            .join('|')
        : String(value);
    });
    tables.push(sheetOf('archive', ARCHIVE_COLUMNS, [row]));
  }
  return tables;
}

/** A table as CSV, with a byte order mark, by which Excel recognises UTF-8. */
export async function* tableCsv({ columns, rows }: SheetContent): AsyncGenerator<string> {
  yield `\ufeff${csvLine(columns.map(({ header }) => header))}`;
  for await (const row of rows) yield csvLine(row);
}

/** The layout of a column in a sheet. */
export function sheetColumn(header: string, { type, choices }: TableColumn): SheetColumn {
  const width = type === 'html' ? 60 : type === 'uuid' ? 38 : type === 'id' ? 10 : 18;
  return { header, type: type === 'id' ? 'number' : 'text', width, ...(choices ? { choices } : {}) };
}

/** A sheet of rows in memory, with one cell per column. @param isOptional whether a column is left out if all its cells are empty */
export function sheetOf(
  name: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  isOptional?: (column: TableColumn) => boolean,
): SheetContent {
  const long = new LongColumns(columns, isOptional);
  for (const row of rows) long.see(row);
  return { name, columns: long.sheetColumns(), rows: rows.values().map((row) => long.spread(row)) };
}

/** The columns of a table, with as many pieces per column as its longest text needs. */
class LongColumns {
  readonly #columns: readonly TableColumn[];
  readonly #pieces: number[];

  /** @param isOptional whether a column is left out if all its cells are empty */
  constructor(columns: readonly TableColumn[], isOptional: (column: TableColumn) => boolean = () => false) {
    this.#columns = columns;
    this.#pieces = columns.map((column) => (isOptional(column) ? 0 : 1));
  }

  /** Adds pieces as needed for a row. */
  see(cells: readonly string[]): void {
    for (const [column, cell] of cells.entries()) if (cell !== '') this.use(column, cell);
  }

  /** Adds pieces to a column as needed for a text. */
  use(column: number, cell = ''): void {
    const pieces = cell.length <= CELL_LIMIT ? 1 : splitLong(cell).length;
    this.#pieces[column] = Math.max(this.#pieces[column] ?? 1, pieces);
  }

  has(column: number): boolean {
    return this.#pieces[column] !== 0;
  }

  /** The columns of the sheet: `content_nl`, `content_nl+`, `content_nl+2` … */
  sheetColumns(): SheetColumn[] {
    return this.#columns.flatMap((column, place) =>
      Array.from({ length: this.#pieces[place] ?? 1 }, (_, piece) =>
        sheetColumn(`${column.name}${piece === 0 ? '' : '+'}${piece > 1 ? piece : ''}`, column),
      ),
    );
  }

  /** The cells of a row, one per header. */
  spread(cells: readonly string[]): string[] {
    return cells.flatMap((cell, column) => {
      if (!this.has(column)) return [];
      const pieces = splitLong(cell);
      while (pieces.length < (this.#pieces[column] ?? 1)) pieces.push('');
      return pieces;
    });
  }
}

/** Splits a text into pieces that fit in a cell, without splitting a surrogate pair. */
function splitLong(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > CELL_LIMIT) {
    const end = start + CELL_LIMIT;
    const isCut = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(start, isCut ? end - 1 : end));
    start = isCut ? end - 1 : end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The row of a record, with one cell per `COLUMNS`. */
function recordRow(kind: Kind, record: Fields, references: ReferenceTexts): string[] {
  const cells = RECORD_COLUMNS[kind].flatMap(({ name, type, target = kind }) => {
    const value = record[name];
    const cell = COLUMN_TYPES[type].write(value);
    if (type === 'html') {
      const markdown = markdownOfHtml(cell);
      return markdown === undefined ? [cell, ''] : ['', markdown];
    }
    if (cell === '' || (type !== 'reference' && type !== 'references')) return [cell];
    return [joinList([value].flat().map((each) => references.of(target, uuidOf(each))))];
  });
  const image = imageInRow(kind, record);
  return [...cells, ...IMAGE_TEXT_COLUMNS.map(({ field }) => image?.[field] ?? '')];
}

/** The rows of a record's images and files, with one cell per `FILE_COLUMNS`. */
function fileRows(kind: Kind, record: Fields, references: ReferenceTexts): string[][] {
  const image = imageInRow(kind, record) ? undefined : record[KIND_FACTS[kind].image];
  const files = Array.isArray(record['files']) ? record['files'] : [];
  const owner = joinList([references.of(kind, String(record['uuid']))]);
  const row = (file: unknown, role: string, order?: number) => {
    const fields: Fields = { ...Object(file), owner_kind: kind, role, order };
    return FILE_COLUMNS.map(({ name, type }) =>
      name === 'owner' ? owner : COLUMN_TYPES[type].write(fields[name]),
    );
  };
  return [
    ...(image ? [row(image, 'image')] : []),
    ...files.map((file, place) => row(file, 'file', place + 1)),
  ];
}

/**
 * The image of a record by field, if the columns of its row can give exactly this image: its uuid and id are derived from
 * those of the record, and it has no other fields. `url` is its URL or path.
 */
function imageInRow(kind: Kind, record: Fields): Readonly<Record<string, string>> | undefined {
  const image: Fields | null | undefined = Object(record[KIND_FACTS[kind].image] ?? {});
  const uuid = deriveUuid(String(record['uuid']), 'image');
  if (image?.['uuid'] !== uuid || image['id'] !== idOfUuid(uuid)) return undefined;
  const { filetype, name, description, url, path, title, alt, author, copyright, width, height } = image;
  const address = path ?? url;
  if (filetype !== 'image' || name || description || !address || (path && url)) return undefined;
  if (isWebAddress(String(address)) !== (path === null || path === undefined)) return undefined;
  const texts = { url: address, title, alt, author, copyright, width, height };
  const cells = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, String(text ?? '')]));
  return Object.values(cells).every((text) => text === text.trim()) ? cells : undefined;
}
