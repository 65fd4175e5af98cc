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
import type { LooseRecord } from '../records/placed-records.ts';

/** A table that is made for reading and counting. */
export interface ReadingTable {
  name: string;
  /** The kind whose records are its rows; undefined where the records of every kind may have rows in it. */
  kind?: Kind;
  columns: readonly PlainColumn[];
  /** The rows that it has of a record. */
  rows(kind: Kind, record: LooseRecord, context: CsvContext): string[][];
}

/** The tables of some kinds: one for the records of each, then their footnotes, then their images and files. */
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
