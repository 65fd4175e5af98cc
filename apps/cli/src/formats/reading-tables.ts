import {
  type CsvContext,
  type CsvOptions,
  csvColumns,
  FILES_COLUMNS,
  FOOTNOTE_COLUMNS,
  fileReadingRows,
  footnoteRows,
  type PlainColumn,
  readingRow,
} from '@archiefkast/formats/csv';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { LooseRecord } from '../records/record-lines.ts';

/** A table of CSV, xlsx or SQLite. */
export interface ReadingTable {
  name: string;
  /** The kind whose records are the rows; undefined if records of every kind can have rows. */
  kind?: Kind;
  columns: readonly PlainColumn[];
  /** The rows of a record. */
  rows(kind: Kind, record: LooseRecord, context: CsvContext): string[][];
}

/** The tables of some kinds: one for each kind, then footnotes, then images and files. */
export function readingTables(kinds: readonly Kind[], options: CsvOptions): ReadingTable[] {
  return [
    ...kinds.map((kind): ReadingTable => {
      const columns = csvColumns(kind, options);
      return {
        name: COLLECTIONS[kind],
        kind,
        columns,
        rows: (_, record, context) => [readingRow(columns, record, context)],
      };
    }),
    {
      name: 'footnotes',
      columns: FOOTNOTE_COLUMNS,
      rows: (kind, record, context) => footnoteRows(kind, record, context, options),
    },
    { name: 'files', columns: FILES_COLUMNS, rows: fileReadingRows },
  ];
}
