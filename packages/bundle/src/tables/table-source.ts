import { type Cell, CsvError, type TableName, WorkbookError } from '@archiefkast/formats';
import type { FaultList, Origin } from '../faults.ts';

/** A row of a table. */
export interface TableRow {
  /** Its line in a CSV file, or its number in a sheet. */
  at: number;
  cells: readonly Cell[];
}

/** One table of a bundle, or any other CSV file or sheet. */
export interface SourceTable {
  name: string;
  /** Its name in messages: `persons.csv`, or the sheet `persons`. */
  title: string;
  /** Whether it is a sheet that the program does not show. */
  isHidden?: boolean;
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
  /** The files or sheets, also those that are no table of a bundle. */
  tables: readonly SourceTable[];
  /** The origin to report for a missing table. */
  missing(name: TableName): Origin;
  close(): void;
}

/**
 * Reads from a table or its file, and turns read errors into faults.
 *
 * @param place the origin of a row or cell
 * @returns undefined if it cannot be read, which is added to `faults`
 * @throws BundleError if it is a workbook: if one sheet of it is damaged, so are the others
 */
export async function readSoundly<Result>(
  place: SourceTable['place'],
  faults: FaultList,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CsvError) faults.add({ ...place(error.line), reason: error.message });
    else if (error instanceof WorkbookError) {
      faults.add({ ...place(error.place?.row, error.place?.column), reason: error.message });
      throw faults.error();
    } else throw error;
    return undefined;
  }
}
