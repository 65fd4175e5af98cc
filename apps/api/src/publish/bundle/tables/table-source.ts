import type { Cell, TableName } from '@archiefkast/formats';
import type { Origin } from '../faults.ts';

/** A row of a table. */
export interface TableRow {
  /** Where it stands: its line in a CSV file, its number in a sheet. */
  at: number;
  cells: readonly Cell[];
}

/** One table of a bundle. */
export interface SourceTable {
  name: TableName;
  /** What messages call it: `persons.csv`, or the sheet `persons`. */
  title: string;
  /**
   * The rows that hold anything; the header is the first.
   *
   * @param onFault called with what is wrong with the table as a whole, and goes on
   * @throws CsvError or WorkbookError when the table cannot be read further
   */
  rows(onFault?: (place: Origin, reason: string) => void): AsyncGenerator<TableRow>;
  /** Where a row stands, or a cell of it. */
  place(at?: number, column?: number): Origin;
}

/** The tables of a bundle, wherever they are. */
export interface TableSource {
  /** The folder that the tables are in, where they are files. */
  folder?: string;
  tables: ReadonlyMap<TableName, SourceTable>;
  /** Where a table would be that is not there. */
  missing(name: TableName): Origin;
  close(): void;
}
