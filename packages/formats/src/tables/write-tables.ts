import { COLLECTIONS, KINDS, type Kind, RECORD_FIELDS } from '@archiefkast/types';
import { csvLine } from '../csv/csv.ts';
import { uuidOf } from '../csv/record-names.ts';
import type { SheetColumn, SheetContent } from '../workbook/write-workbook.ts';
import { joinList, LongColumns, TableError } from './cells.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  IMAGE_FIELD,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';

/** The source of the records of tables. */
export interface RecordSource {
  /** The kinds to write tables of. */
  kinds: readonly Kind[];
  /** Reads the records of a kind; called several times, with the same result. */
  records(kind: Kind): AsyncIterable<TabledRecord>;
  archive?: TabledRecord | undefined;
}

/** A table to write. */
export interface TableContent {
  /** Name of the file or sheet; one that starts with `_` is ignored when the bundle is read. */
  name: TableName | `_${string}`;
  columns: readonly SheetColumn[];
  /** The rows after the header, with one cell per column. */
  rows(): AsyncIterable<readonly string[]>;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Creates the tables of an archive: one per kind, `files` and `archive`. The records are read once to find texts longer
 * than a cell, and again for every table; only a few are in memory at a time.
 *
 * @throws TableError if tables cannot store a record
 */
export async function tableContents(source: RecordSource): Promise<TableContent[]> {
  const tables: TableContent[] = [];
  const files = new LongColumns(FILE_COLUMNS.map(({ name }) => name));
  for (const kind of source.kinds) {
    const long = new LongColumns(RECORD_COLUMNS[kind].map(({ name }) => name));
    for await (const record of source.records(kind)) {
      long.see(recordRow(kind, record));
      for (const row of fileRows(kind, record)) files.see(row);
    }
    tables.push({
      name: COLLECTIONS[kind],
      columns: sheetColumns(RECORD_COLUMNS[kind], long),
      async *rows() {
        for await (const record of source.records(kind)) yield long.spread(recordRow(kind, record));
      },
    });
  }
  tables.push({
    name: 'files',
    columns: sheetColumns(FILE_COLUMNS, files),
    async *rows() {
      for (const kind of source.kinds) {
        for await (const record of source.records(kind)) {
          for (const row of fileRows(kind, record)) yield files.spread(row);
        }
      }
    },
  });
  if (source.archive) tables.push(archiveTable(archiveRow(source.archive)));
  return tables;
}

/** A table as CSV, with a byte order mark, by which Excel recognises UTF-8. */
export async function* tableCsv({ columns, rows }: TableContent): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map(({ header }) => header));
  for await (const row of rows()) yield csvLine(row);
}

/** The sheets of a workbook with these tables. */
export function tableSheets(tables: readonly TableContent[]): SheetContent[] {
  return tables.map(({ name, columns, rows }) => ({
    name,
    columns,
    rows: { [Symbol.asyncIterator]: () => rows()[Symbol.asyncIterator]() },
  }));
}

/** The layout of a column in a sheet. */
export function sheetColumn(header: string, { type, choices }: Omit<TableColumn, 'name'>): SheetColumn {
  const width = type === 'html' ? 60 : type === 'uuid' ? 38 : type === 'id' ? 10 : 18;
  return { header, type: type === 'id' ? 'number' : 'text', width, ...(choices ? { choices } : {}) };
}

function sheetColumns(columns: readonly TableColumn[], long: LongColumns): SheetColumn[] {
  return long.headers().flatMap(({ header, column }) => {
    const described = columns[column];
    return described ? [sheetColumn(header, described)] : [];
  });
}

function archiveTable(row: readonly string[]): TableContent {
  return {
    name: 'archive',
    columns: ARCHIVE_COLUMNS.map((column) => sheetColumn(column.name, column)),
    async *rows() {
      yield row;
    },
  };
}

/** A record with the API's field names, from a bundle or the API. */
export type TabledRecord = Readonly<Record<string, unknown>>;

/** Derived fields, and fields of the table `files`. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  KINDS.flatMap((kind) => {
    const columns = new Set(RECORD_COLUMNS[kind].map(({ name }) => name));
    return RECORD_FIELDS[kind].filter((field) => !columns.has(field));
  }),
);

/**
 * The row of a record, with one cell per `RECORD_COLUMNS`.
 *
 * @throws TableError if tables cannot store the record
 */
export function recordRow(kind: Kind, record: TabledRecord): string[] {
  const columns = RECORD_COLUMNS[kind];
  const unknown = Object.keys(record).find(
    (field) => !LEFT_OUT.has(field) && !columns.some(({ name }) => name === field),
  );
  if (unknown !== undefined) throw lossOf(kind, record, unknown, 'is a field that tables have no column for');
  return columns.map((column) => wellFormed(kind, record, column, cellOf(column, record[column.name])));
}

/** The rows of a record's images and files, with one cell per `FILE_COLUMNS`. */
export function fileRows(kind: Kind, record: TabledRecord): string[][] {
  const image = record[IMAGE_FIELD[kind]];
  const files = Array.isArray(record['files']) ? record['files'] : [];
  const rows: string[][] = [];
  const add = (file: unknown, role: string, order: string) => {
    const fields: TabledRecord = { ...Object(file), owner_kind: kind, owner: record['uuid'], role, order };
    rows.push(
      FILE_COLUMNS.map((column) => wellFormed(kind, record, column, cellOf(column, fields[column.name]))),
    );
  };
  if (image) add(image, 'image', '');
  for (const [place, file] of files.entries()) add(file, 'file', String(place + 1));
  return rows;
}

/** The row that describes the archive, with one cell per `ARCHIVE_COLUMNS`. */
export function archiveRow(archive: TabledRecord): string[] {
  return ARCHIVE_COLUMNS.map(({ path: [first, second] }) => {
    const value = archive[first];
    return String((second === undefined ? value : Object(value)[second]) ?? '');
  });
}

function cellOf({ type }: TableColumn, value: unknown): string {
  switch (type) {
    case 'boolean':
      return value === false ? 'false' : '';
    case 'nullable':
      if (value === null || value === undefined) return '';
      return value === '' ? '\\empty' : String(value).replace(/^\\/, '\\\\');
    case 'reference':
      return value === null || value === undefined ? '' : uuidOf(value);
    case 'references':
      return Array.isArray(value) ? joinList(value.map(uuidOf)) : '';
    case 'urls':
      return Array.isArray(value) ? joinList(value.map(String)) : '';
    case 'json':
      return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : '';
    default:
      return value === null || value === undefined ? '' : String(value);
  }
}

function wellFormed(kind: Kind, record: TabledRecord, { name }: TableColumn, cell: string): string {
  if (cell.isWellFormed()) return cell;
  throw lossOf(kind, record, name, 'contains an unpaired surrogate');
}

function lossOf(kind: Kind, record: TabledRecord, field: string, reason: string): TableError {
  return new TableError(`${kind} ${String(record['id'])}: ${field}: ${reason}; tables cannot store it`);
}
