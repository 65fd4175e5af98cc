import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readTextLines, withTemporaryFolder } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import type { ArchiveDescription } from '../../storage/edition.ts';
import { readArchiveDescription } from './archive-description.ts';
import { BundleError, FaultList, fileOf, LINE_ORIGINS, type Origins } from './faults.ts';
import { parseRecord } from './parse-record.ts';
import type { RecordIndex } from './record-index.ts';
import { type BundleRecord, READING_ORDER } from './record-schemas.ts';
import type { TableSource } from './tables/table-source.ts';

/** A bundle as files of JSON lines, either the original ones or converted from tables. */
export interface Bundle {
  folder: string;
  /** The description of the archive, if the bundle has one. */
  archive: ArchiveDescription | undefined;
  /** Maps records to the lines or cells of the original bundle. */
  origins: Origins;
}

/** A checksum of a line, to detect a change since the first reading. */
export function fingerprint(text: string | undefined): number {
  return crc32(text ?? '');
}

/**
 * Reads the records of one kind from a checked bundle.
 *
 * @throws BundleError if a line has changed or is missing since the check
 */
export async function* readBundleRecords<K extends Kind>(
  { folder, archive, origins, index }: Bundle & { index: RecordIndex },
  kind: K,
): AsyncGenerator<BundleRecord[K]> {
  const { fingerprints } = index.kinds[kind];
  const reason = 'changed while it was being published; publish the bundle again';
  let row = 0;
  for await (const line of readTextLines(join(folder, fileOf(kind)))) {
    const parsed = parseRecord(kind, line.text, archive?.partial_dates);
    const isSame = fingerprints[row] === fingerprint(line.text);
    if (!isSame || !('record' in parsed)) {
      throw new BundleError([{ ...origins.at(kind, line.number), reason }], 1);
    }
    yield parsed.record;
    row += 1;
  }
  if (row !== fingerprints.length) throw new BundleError([{ file: origins.fileOf(kind), reason }], 1);
}

/** A bundle whose files exist, but are not checked yet. */
export interface OpenBundle extends Bundle {
  /** The faults found so far. */
  faults: FaultList;
  /** Kinds whose table cannot be read; references to them are not checked. */
  unread: readonly Kind[];
}

/**
 * Opens a bundle of any format for `work`: a folder of JSON lines, a folder of CSV files, or a workbook. Tables are
 * converted to JSON lines in a temporary folder. Faults of records are collected in `faults`, so that the check goes on.
 *
 * @param onRow called for every row of tables, for progress; an error that it throws ends the work
 * @throws BundleError if the path is not a bundle
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
  const { readArchiveTable } = await import('./tables/stage-tables.ts');
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

/** The tables of a bundle; undefined if it consists of JSON lines. */
async function openTables(path: string, faults: FaultList): Promise<TableSource | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && /\.xlsx$/i.test(path)) {
    const { openWorkbookTables } = await import('./tables/open-tables.ts');
    return openWorkbookTables(path, faults);
  }
  if (!found?.isDirectory()) {
    const reason = found
      ? 'is not a bundle: expected a folder, or a workbook whose name ends in .xlsx'
      : 'does not exist; expected a bundle';
    faults.add({ file: path, reason });
    faults.throwIfAny();
  }
  const missing = await missingFiles(path);
  if (missing.length === 0) return undefined;
  if (missing.length === READING_ORDER.length) {
    const { openCsvTables } = await import('./tables/open-tables.ts');
    const tables = await openCsvTables(path, faults);
    if (tables) return tables;
  }
  for (const file of missing) {
    faults.add({ file, reason: `is missing in ${path}; use an empty file for a kind without records` });
  }
  faults.throwIfAny();
  return undefined;
}

/** The names of the missing files of JSON lines. */
async function missingFiles(folder: string): Promise<string[]> {
  const names = READING_ORDER.map(fileOf);
  const found = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.isFile() ?? false),
  );
  return names.filter((_, index) => !found[index]);
}
