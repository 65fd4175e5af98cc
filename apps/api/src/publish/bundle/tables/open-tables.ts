import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type CsvForm,
  columnLetters,
  openWorkbook,
  readCsv,
  TABLES,
  type TableName,
  WorkbookError,
  type WorkbookSheet,
} from '@archiefkast/formats';
import { nearestName } from '../../../nearest-name.ts';
import type { FaultList, Origin } from '../faults.ts';
import type { SourceTable, TableSource } from './table-source.ts';

/**
 * The tables of a folder of CSV files.
 *
 * @param files the names of the CSV files
 * @param faults files with unknown names are added to it, as their content would be lost silently
 */
export function openCsvTables(folder: string, files: readonly string[], faults: FaultList): TableSource {
  const tables = new Map<TableName, SourceTable>();
  const misnamed = new Set<TableName>();
  for (const file of files) {
    const name = TABLES.find((table) => `${table}.csv` === file);
    if (name) {
      tables.set(name, openCsvTable(name, join(folder, file)));
      continue;
    }
    const meant = tableMeant(file.replace(/\.csv$/i, ''));
    const isFree = meant && !files.includes(`${meant}.csv`);
    const hint = isFree ? `rename it to ${meant}.csv` : 'start its name with _ to have it ignored';
    faults.add({ file, reason: `is not a table of a bundle; ${hint}` }, 'table');
    if (isFree) misnamed.add(meant);
  }
  return { folder, tables, misnamed, missing: (name) => ({ file: `${name}.csv` }), close() {} };
}

/** The table that a name may mean: `Persons`, `personen`, `my-archive - persons` (as Google Sheets names a sheet). */
function tableMeant(name: string): TableName | undefined {
  const last =
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .at(-1) ?? '';
  return TABLES.find((table) => table === last) ?? nearestName(name.toLowerCase(), TABLES);
}

/** A CSV file as a table; its form is recognised unless given. */
export function openCsvTable<Name extends string>(
  name: Name,
  path: string,
  form?: CsvForm,
): SourceTable<Name> {
  const file = basename(path);
  return {
    name,
    title: file,
    async *rows() {
      const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
      for await (const { line, cells } of readCsv(bytes, form)) {
        yield { at: line, cells };
      }
    },
    place: (at) => ({ file, ...(at === undefined ? {} : { line: at }) }),
  };
}

/**
 * The tables of a workbook.
 *
 * @param faults non-empty sheets with unknown names are added to it
 * @throws BundleError if the file is not a workbook
 */
export async function openWorkbookTables(path: string, faults: FaultList): Promise<TableSource> {
  const file = basename(path);
  const workbook = await openWorkbook(path).catch((error: unknown) => {
    throw bundleError(error, { file }, faults);
  });
  const tables = new Map<TableName, SourceTable>();
  const misnamed = new Set<TableName>();
  for (const sheet of workbook.sheets) {
    const name = TABLES.find((table) => table === sheet.name);
    if (name) tables.set(name, openSheetTable(name, file, sheet));
    else if (!sheet.name.startsWith('_')) {
      const isUsed = await hasRows(sheet).catch((error: unknown) => {
        workbook.close();
        throw bundleError(error, { file, cell: sheet.name }, faults);
      });
      if (!isUsed) continue;
      const meant = tableMeant(sheet.name);
      const isFree = meant && !workbook.sheets.some((each) => each.name === meant);
      const hint = isFree ? `rename it to ${meant}` : 'start its name with _ to have it ignored';
      faults.add({ file, cell: sheet.name, reason: `is not a sheet of a bundle; ${hint}` }, 'table');
      if (isFree) misnamed.add(meant);
    }
  }
  return { tables, misnamed, missing: (name) => ({ file, cell: name }), close: workbook.close };
}

async function hasRows(sheet: WorkbookSheet): Promise<boolean> {
  for await (const _ of sheet.rows()) return true;
  return false;
}

/** The error to throw for a workbook error: a BundleError with the faults so far and this one. */
function bundleError(error: unknown, place: Origin, faults: FaultList): unknown {
  if (!(error instanceof WorkbookError)) return error;
  faults.add({ ...place, reason: error.message }, 'table');
  faults.throwIfAny();
  return error;
}

/** A sheet of a workbook as a table. */
export function openSheetTable<Name extends string>(
  name: Name,
  file: string,
  sheet: WorkbookSheet,
): SourceTable<Name> {
  const place = (at?: number, column?: number): Origin => {
    if (at === undefined) return { file, cell: name };
    return {
      file,
      cell: column === undefined ? `${name}, row ${at}` : `${name}!${columnLetters(column)}${at}`,
    };
  };
  return {
    name,
    title: `the sheet ${name}`,
    place,
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
