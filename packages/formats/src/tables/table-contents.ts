import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import { csvLine } from '../csv/csv.ts';
import type { SheetColumn, SheetContent } from '../workbook/sheet-content.ts';
import { LongColumns } from './long-cells.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';
import { archiveRow, fileRows, recordRow, type TabledRecord } from './to-rows.ts';

/** Where the records of tables come from. */
export interface RecordSource {
  /** The kinds that there are tables of. */
  kinds: readonly Kind[];
  /** The records of a kind; asked for several times, and the same every time. */
  records(kind: Kind): AsyncIterable<TabledRecord>;
  archive?: TabledRecord | undefined;
}

/** A table to write. */
export interface TableContent {
  /** Of the file or sheet: one that begins with `_` is left alone when the bundle is read. */
  name: TableName | `_${string}`;
  columns: readonly SheetColumn[];
  /** The rows after the header, a cell for each column. */
  rows(): AsyncIterable<readonly string[]>;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The tables of an archive: one of each kind, one of images and files, one of the archive. The records are read once
 * to see which texts are longer than a cell, and again for every table that is written; a few are in memory at a time.
 *
 * @throws TableError when tables cannot hold a record
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

/** The lines of a table as CSV. They begin with a byte order mark, by which Excel knows that they are UTF-8. */
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

/** How a column is shown in a sheet. */
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
