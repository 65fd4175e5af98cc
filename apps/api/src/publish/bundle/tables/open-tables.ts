import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
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
 * The tables of a folder of CSV files; undefined if it has none of them.
 *
 * @param faults CSV files with unknown names are added to it, as their content would be lost silently
 */
export async function openCsvTables(folder: string, faults: FaultList): Promise<TableSource | undefined> {
  const names = (await readdir(folder)).filter((name) => /\.csv$/i.test(name) && !name.startsWith('_'));
  const tables = new Map<TableName, SourceTable>();
  const others: string[] = [];
  for (const file of names.sort()) {
    const name = TABLES.find((table) => `${table}.csv` === file);
    if (name) tables.set(name, openTable(name, join(folder, file)));
    else others.push(file);
  }
  if (tables.size === 0) return undefined;
  for (const file of others) {
    const near = nearestName(file.replace(/\.csv$/i, '').toLowerCase(), TABLES);
    const hint = near ? `did you mean ${near}.csv?` : 'start its name with _ to have it ignored';
    faults.add({ file, reason: `is not a table of a bundle; ${hint}` });
  }
  return { folder, tables, missing: (name) => ({ file: `${name}.csv` }), close() {} };
}

function openTable(name: TableName, path: string): SourceTable {
  const file = `${name}.csv`;
  return {
    name,
    title: file,
    async *rows() {
      for await (const { line, cells } of readCsv(createReadStream(path, { highWaterMark: 1 << 18 }))) {
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
  for (const sheet of workbook.sheets) {
    const name = TABLES.find((table) => table === sheet.name);
    if (name) tables.set(name, openSheet(name, file, sheet));
    else if (!sheet.name.startsWith('_')) {
      const isUsed = await hasRows(sheet).catch((error: unknown) => {
        workbook.close();
        throw bundleError(error, { file, cell: sheet.name }, faults);
      });
      if (!isUsed) continue;
      const near = nearestName(sheet.name.toLowerCase(), TABLES);
      const hint = near ? `did you mean ${near}?` : 'start its name with _ to have it ignored';
      faults.add({ file, cell: sheet.name, reason: `is not a sheet of a bundle; ${hint}` });
    }
  }
  return { tables, missing: (name) => ({ file, cell: name }), close: workbook.close };
}

async function hasRows(sheet: WorkbookSheet): Promise<boolean> {
  for await (const _ of sheet.rows()) return true;
  return false;
}

/** The error to throw for a workbook error: a BundleError with the faults so far and this one. */
function bundleError(error: unknown, place: Origin, faults: FaultList): unknown {
  if (!(error instanceof WorkbookError)) return error;
  faults.add({ ...place, reason: error.message });
  faults.throwIfAny();
  return error;
}

function openSheet(name: TableName, file: string, sheet: WorkbookSheet): SourceTable {
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
