import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { readArchiveDescription } from './archive-description.ts';
import { type Bundle, READING_ORDER } from './bundle.ts';
import { FaultList } from './faults.ts';
import { fileOf, LINE_ORIGINS } from './origins.ts';
import type { TableSource } from './tables/table-source.ts';

/** A bundle whose files are there, not checked yet. */
export interface OpenBundle extends Bundle {
  /** What is wrong with it so far. */
  faults: FaultList;
  /** Kinds whose table cannot be read: what refers to them is not at fault. */
  unread: readonly Kind[];
}

/**
 * Works on a bundle in any of its forms: a folder of JSON lines, a folder of CSV files, or a workbook. What is wrong
 * with its records is left in `faults`, so that the check goes on. Tables become JSON lines in a temporary folder.
 *
 * @param onRow called on every row of tables, for progress; what it throws ends the work
 * @throws BundleError when there is no bundle
 */
export async function withBundle<Result>(
  path: string,
  work: (bundle: OpenBundle) => Promise<Result>,
  onRow: () => void = () => {},
): Promise<Result> {
  const faults = new FaultList();
  const source = await openTables(path, faults);
  if (!source) {
    const archive = await readArchiveDescription(path, faults);
    return work({ folder: path, archive, origins: LINE_ORIGINS, faults, unread: [] });
  }
  const { readArchiveTable } = await import('./tables/archive-table.ts');
  const { stageTables } = await import('./tables/stage-tables.ts');
  try {
    return await withTemporaryFolder('archive-tables-', async (folder) => {
      const table = source.tables.get('archive');
      const archive = table
        ? await readArchiveTable(table, faults)
        : source.folder === undefined
          ? undefined
          : await readArchiveDescription(source.folder, faults);
      const staged = await stageTables(source, folder, archive, faults, onRow);
      return await work({ folder, archive, faults, ...staged });
    });
  } finally {
    source.close();
  }
}

/** The tables of a bundle; undefined when it has files of JSON lines. */
async function openTables(path: string, faults: FaultList): Promise<TableSource | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && /\.xlsx$/i.test(path)) {
    const { openWorkbookTables } = await import('./tables/workbook-tables.ts');
    return openWorkbookTables(path, faults);
  }
  if (!found?.isDirectory()) {
    const reason = found
      ? 'is no bundle: expected a folder, or a workbook whose name ends in .xlsx'
      : 'is not a folder; expected a bundle';
    faults.add({ file: path, reason });
    faults.throwIfAny();
  }
  const missing = await missingFiles(path);
  if (missing.length === 0) return undefined;
  if (missing.length === READING_ORDER.length) {
    const { openCsvTables } = await import('./tables/csv-tables.ts');
    const tables = await openCsvTables(path, faults);
    if (tables) return tables;
  }
  for (const file of missing) {
    faults.add({ file, reason: `is missing in ${path}; a kind without records has an empty file` });
  }
  faults.throwIfAny();
  return undefined;
}

/** The names of the files of JSON lines that are not there. */
async function missingFiles(folder: string): Promise<string[]> {
  const names = READING_ORDER.map(fileOf);
  const found = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.isFile() ?? false),
  );
  return names.filter((_, index) => !found[index]);
}
