import { COLLECTIONS } from '@archiefkast/types';
import { csvLine } from '../csv.ts';
import type { SheetColumn, SheetContent } from '../workbook/write-workbook.ts';
import { LongColumns } from './cells.ts';
import { editingForm } from './editing-form.ts';
import { archiveRow, fileRows, type RecordSource, recordRow, type TableForm } from './record-rows.ts';
import {
  ARCHIVE_COLUMNS,
  FILE_COLUMNS,
  RECORD_COLUMNS,
  type TableColumn,
  type TableName,
} from './table-columns.ts';

/** A table to write. */
export interface TableContent {
  /** Name of the file or sheet; one that starts with `_` is ignored when the bundle is read. */
  name: TableName | `_${string}`;
  columns: readonly SheetColumn[];
  /** The rows after the header, with one cell per column. */
  rows(): AsyncIterable<readonly string[]>;
}

const BYTE_ORDER_MARK = '\ufeff';

/** Options of `tableContents`. */
export interface TableOptions {
  /**
   * Whether people go on editing the tables: references are names or ids, HTML that Markdown gives is Markdown, and images
   * are in the rows of their records. Both forms are lossless.
   */
  forEditing?: boolean;
}

/** The form without names and Markdown. */
const EXACT: TableForm = {
  columns: (kind) => RECORD_COLUMNS[kind],
  row: recordRow,
  fileRows,
  optional: new Set(),
  finish() {},
};

/**
 * Creates the tables of an archive: one per kind, `files` and `archive`. The records are read once to find texts longer
 * than a cell, and again for every table; only a few are in memory at a time, and their names if the tables are for
 * editing.
 *
 * @throws TableError if tables cannot store a record
 */
export async function tableContents(
  source: RecordSource,
  { forEditing = false }: TableOptions = {},
): Promise<TableContent[]> {
  const form = forEditing ? await editingForm(source) : EXACT;
  const tables: TableContent[] = [];
  const files = new LongColumns(FILE_COLUMNS.map(({ name }) => name));
  for (const kind of source.kinds) {
    const columns = form.columns(kind);
    const long = new LongColumns(
      columns.map(({ name }) => name),
      form.optional,
    );
    for await (const record of source.records(kind)) {
      long.see(form.row(kind, record));
      for (const row of form.fileRows(kind, record)) files.see(row);
    }
    form.finish(kind, long);
    tables.push({
      name: COLLECTIONS[kind],
      columns: sheetColumns(columns, long),
      async *rows() {
        for await (const record of source.records(kind)) yield long.spread(form.row(kind, record));
      },
    });
  }
  tables.push({
    name: 'files',
    columns: sheetColumns(FILE_COLUMNS, files),
    async *rows() {
      for (const kind of source.kinds) {
        for await (const record of source.records(kind)) {
          for (const row of form.fileRows(kind, record)) yield files.spread(row);
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
