import type { Kind } from '@archiefkast/types';
import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Fields } from '../record-names.ts';
import { type ReadingColumn, type ReadingContext, type ReadingOptions, recordColumns } from './columns.ts';
import { FILES_COLUMNS, FOOTNOTE_COLUMNS, fileRows, footnoteRows } from './parts.ts';

export { type Fields, nameOfRecord, neededNames, type RecordNames, uuidOf } from '../record-names.ts';
export { listOf, textOf } from './cells.ts';
export {
  type ReadingColumn,
  type ReadingContext,
  type ReadingOptions,
  withKnownDates,
} from './columns.ts';

/** A table for reading and analysis: a CSV file, a sheet of a workbook, a table of a database. */
export interface ReadingTable {
  name: string;
  /** The kind whose records are the rows; absent if a record of any kind can have rows. */
  kind?: Kind;
  columns: readonly ReadingColumn[];
  rows(kind: Kind, record: Fields, context: ReadingContext): string[][];
}

/** The tables of some kinds: one for each kind, then footnotes, then images and files. */
export function readingTables(kinds: readonly Kind[], options: ReadingOptions = {}): ReadingTable[] {
  return [
    ...kinds.map((kind) => recordTable(kind, options)),
    {
      name: 'footnotes',
      columns: FOOTNOTE_COLUMNS,
      rows: (kind, record, { language }) => footnoteRows(kind, record, language, options),
    },
    { name: 'files', columns: FILES_COLUMNS, rows: fileRows },
  ];
}

/** The table whose rows are the records of a kind. */
export function recordTable(kind: Kind, options: ReadingOptions = {}): ReadingTable & { kind: Kind } {
  const columns = recordColumns(kind, options);
  return {
    name: COLLECTIONS[kind],
    kind,
    columns,
    rows: (_, record, context) => [columns.map((column) => column.cell(record, context))],
  };
}
