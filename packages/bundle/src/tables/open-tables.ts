import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Cell,
  CsvError,
  type CsvForm,
  columnLetters,
  type OnAside,
  openWorkbook,
  readCsv,
  splitInQuotes,
  TABLES,
  type TableName,
  WorkbookError,
  type WorkbookSheet,
} from '@archiefkast/formats';
import type { FaultList, Origin } from '../faults.ts';
import { nearestName } from '../nearest-name.ts';

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
   * @param onAside called with what a sheet has beside texts, other than merged cells, which are faults
   * @throws CsvError or WorkbookError if the table cannot be read
   */
  rows(onFault?: (place: Origin, reason: string) => void, onAside?: OnAside): AsyncGenerator<TableRow>;
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
 * The tables of a folder of CSV files, or of a workbook.
 *
 * @param files the names of the CSV files; undefined if the path is a workbook
 * @throws BundleError if the file is not a workbook
 */
export async function openTables(
  path: string,
  files: readonly string[] | undefined,
  faults: FaultList,
): Promise<TableSource> {
  if (files) {
    const tables = files.map((file) => openCsvTable(file.replace(/\.csv$/, ''), join(path, file)));
    const missing = (name: string) => ({ file: `${name}.csv` });
    return { folder: path, tables, missing, close() {} };
  }
  const file = basename(path);
  const place = () => ({ file });
  const { tables = [], close = () => {} } = (await readSoundly(place, faults, () => openSheets(path))) ?? {};
  return { tables, missing: (name) => ({ file, cell: name }), close };
}

/**
 * The tables of a bundle among files or sheets, by name. Others that are not empty are added to `faults`, as their content
 * would be lost silently; one that may be meant for a table that is missing is read as that.
 */
export async function findTables(
  { tables: all, folder }: TableSource,
  faults: FaultList,
): Promise<ReadonlyMap<string, SourceTable>> {
  const [what, ending] = folder === undefined ? ['sheet', ''] : ['table', '.csv'];
  const tables = new Map(all.map((table) => [table.name, table]));
  for (const table of all) {
    if (TABLES.some((name) => name === table.name) || table.name.startsWith('_')) continue;
    const first = await readSoundly(table.place, faults, () => table.rows().next());
    if (first?.done) continue;
    const meant = tableMeant(table.name.toLowerCase().replace(/\.csv$/, ''));
    const isFree = meant && !tables.has(meant);
    const hint = isFree
      ? `rename it to ${meant}${ending}`
      : 'start its name with _ to have it ignored, or make tables of it with archive-api import';
    const reason = `is not a ${what} of a bundle; ${hint}`;
    faults.add({ ...table.place(), reason });
    if (isFree) tables.set(meant, { ...table, name: meant });
  }
  return tables;
}

/** The table that a name may mean: `persons`, `personen`, `my-archive - persons` (as Google Sheets names a sheet). */
function tableMeant(name: string): TableName | undefined {
  const last = name.split(/[^a-z]+/).at(-1);
  return TABLES.find((table) => table === last) ?? nearestName(name, TABLES);
}

/** A CSV file as a table; its form is recognised unless given. */
export function openCsvTable(name: string, path: string, form?: CsvForm): SourceTable {
  const file = basename(path);
  return {
    name,
    title: file,
    async *rows(onFault) {
      const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
      for await (const { line, cells } of readCsv(bytes, form)) {
        const [first, last = 0] = (onFault && splitInQuotes(cells)) ?? [];
        if (onFault && first !== undefined) onFault({ file, line }, describeSplit(first, last));
        yield { at: line, cells };
      }
    },
    place: (line) => ({ file, line }),
  };
}

function describeSplit(first: number, last: number): string {
  const cells = `${first + 1} to ${last + 1}`;
  return `has in cells ${cells} one text in quotes of another shape; expected straight quotes (")`;
}

/**
 * Opens the sheets of a workbook as tables.
 *
 * @throws WorkbookError if it cannot be read
 */
export async function openSheets(path: string): Promise<{ tables: SourceTable[]; close(): void }> {
  const { sheets, close } = await openWorkbook(path);
  return { tables: sheets.map((sheet) => sheetTable(sheet, basename(path))), close };
}

function sheetTable(sheet: WorkbookSheet, file: string): SourceTable {
  const { name, isHidden } = sheet;
  return {
    name,
    title: `the sheet ${name}`,
    isHidden,
    place(at, column) {
      if (at === undefined) return { file, cell: name };
      return { file, cell: name + (column === undefined ? `, row ${at}` : `!${columnLetters(column)}${at}`) };
    },
    async *rows(onFault = () => {}, onOther) {
      const onAside: OnAside = (what, range) => {
        if (what !== 'merged') return onOther?.(what, range);
        const [first] = range.split(':');
        const reason = `is a merged cell (${range}); unmerge it, so that every row has its own value`;
        onFault({ file, cell: `${name}!${first}` }, reason);
      };
      for await (const { number, cells } of sheet.rows(onAside)) yield { at: number, cells };
    },
  };
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
