import type { Cell, TableName } from '@archiefkast/formats';
import type { Origin } from '../faults.ts';

/** A row of a table. */
export interface TableRow {
  /** Its line in a CSV file, or its number in a sheet. */
  at: number;
  cells: readonly Cell[];
}

/** One table of a bundle, or any other CSV file or sheet. */
export interface SourceTable<Name extends string = TableName> {
  name: Name;
  /** Its name in messages: `persons.csv`, or the sheet `persons`. */
  title: string;
  /**
   * The rows that are not empty; the first is the header.
   *
   * @param onFault called with every fault of the table as a whole; reading goes on
   * @throws CsvError or WorkbookError if the table cannot be read
   */
  rows(onFault?: (place: Origin, reason: string) => void): AsyncGenerator<TableRow>;
  /** The origin of a row, or of one of its cells. */
  place(at?: number, column?: number): Origin;
}

/** The tables of a bundle, as CSV files or as sheets of a workbook. */
export interface TableSource {
  /** The folder of the tables, if they are CSV files. */
  folder?: string;
  tables: ReadonlyMap<TableName, SourceTable>;
  /** Tables that files or sheets with another name may be, which are reported. */
  misnamed: ReadonlySet<TableName>;
  /** The origin to report for a missing table. */
  missing(name: TableName): Origin;
  close(): void;
}
