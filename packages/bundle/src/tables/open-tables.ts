import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type CsvForm,
  columnLetters,
  openWorkbook,
  readCsv,
  splitInQuotes,
  TABLES,
  type TableName,
  type WorkbookSheet,
} from '@archiefkast/formats';
import type { FaultList } from '../faults.ts';
import { nearestName } from '../nearest-name.ts';
import { readSoundly, type SourceTable, type TableSource } from './table-source.ts';

/**
 * The tables of a folder of CSV files.
 *
 * @param files the names of the CSV files
 * @param faults files with unknown names are added to it, as their content would be lost silently
 */
export async function openCsvTables(
  folder: string,
  files: readonly string[],
  faults: FaultList,
): Promise<TableSource> {
  const tables = files.map((file) => openCsvTable(file.replace(/\.csv$/, ''), join(folder, file)));
  const found = await findTables(tables, '.csv', faults);
  return { ...found, folder, missing: (name) => ({ file: `${name}.csv` }), close() {} };
}

/**
 * The tables of a workbook.
 *
 * @param faults non-empty sheets with unknown names are added to it
 * @throws BundleError if the file is not a workbook
 */
export async function openWorkbookTables(path: string, faults: FaultList): Promise<TableSource> {
  const file = basename(path);
  const workbook = await readSoundly(
    () => ({ file }),
    faults,
    () => openWorkbook(path),
  );
  if (!workbook) throw faults.error();
  try {
    const sheets = workbook.sheets.map((sheet) => openSheetTable(sheet.name, file, sheet));
    const found = await findTables(sheets, '', faults);
    return { ...found, missing: (name) => ({ file, cell: name }), close: workbook.close };
  } catch (error) {
    workbook.close();
    throw error;
  }
}

/** The tables of a bundle among files or sheets; others that are not empty are added to `faults`. */
async function findTables(
  all: readonly SourceTable[],
  ending: '.csv' | '',
  faults: FaultList,
): Promise<Pick<TableSource, 'tables' | 'misnamed'>> {
  const tables = new Map<TableName, SourceTable>();
  const misnamed = new Set<TableName>();
  for (const table of all) {
    const name = TABLES.find((each) => each === table.name);
    if (name) tables.set(name, table);
    else if (!table.name.startsWith('_') && (await hasRows(table, faults))) {
      const meant = tableMeant(table.name.toLowerCase().replace(/\.csv$/, ''));
      const isFree = meant && !all.some((each) => each.name === meant);
      const hint = isFree
        ? `rename it to ${meant}${ending}`
        : 'start its name with _ to have it ignored, or make tables of it with archive-api import';
      const reason = `is not a ${ending ? 'table' : 'sheet'} of a bundle; ${hint}`;
      faults.add({ ...table.place(), reason }, 'table');
      if (isFree) misnamed.add(meant);
    }
  }
  return { tables, misnamed };
}

async function hasRows(table: SourceTable, faults: FaultList): Promise<boolean> {
  const first = await readSoundly(table.place, faults, () => table.rows().next());
  return !first?.done;
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

/** A sheet of a workbook as a table. */
export function openSheetTable(name: string, file: string, sheet: WorkbookSheet): SourceTable {
  return {
    name,
    title: `the sheet ${name}`,
    isHidden: sheet.isHidden,
    place(at, column) {
      if (at === undefined) return { file, cell: name };
      return { file, cell: name + (column === undefined ? `, row ${at}` : `!${columnLetters(column)}${at}`) };
    },
    async *rows(onFault = () => {}) {
      const onMerge = (range: string) => {
        const [first] = range.split(':');
        const reason = `is a merged cell (${range}); unmerge it, so that every row has its own value`;
        onFault({ file, cell: `${name}!${first}` }, reason);
      };
      for await (const { number, cells } of sheet.rows(onMerge)) yield { at: number, cells };
    },
  };
}
