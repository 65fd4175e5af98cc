import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { readTextLines, type TextLine, withTemporaryFolder } from '@archiefkast/system';
import type { Kind, KnownDates } from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import type { ArchiveDescription } from '../../storage/edition.ts';
import { readArchiveDescription } from './archive-description.ts';
import { BundleError, type Fault, FaultList, fileOf, LINE_ORIGINS, type Origins } from './faults.ts';
import { parseRecord } from './parse-record.ts';
import type { RecordIndex } from './record-index.ts';
import { type BundleRecord, READING_ORDER } from './record-schemas.ts';
import type { Supplements } from './supplements.ts';
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
export function fingerprint({ bytes }: TextLine): number {
  return crc32(bytes);
}

/** A record of a bundle. */
export interface ReadRecord<K extends Kind> {
  record: BundleRecord[K];
  /** What is known of the dates of which the record has a first day. */
  dates: KnownDates;
}

/**
 * Reads the records of one kind from a checked bundle.
 *
 * @throws BundleError if a line has changed or is missing since the check
 */
export async function* readBundleRecords<K extends Kind>(
  { folder, archive, origins, index, supplements }: Bundle & { index: RecordIndex; supplements: Supplements },
  kind: K,
): AsyncGenerator<ReadRecord<K>> {
  const { fingerprints } = index.kinds[kind];
  const reason = 'changed while it was being published; publish the bundle again';
  let row = 0;
  for await (const line of readTextLines(join(folder, fileOf(kind)))) {
    const parsed = parseRecord(kind, line.text, archive?.partial_dates);
    const isSame = fingerprints.at(row) === fingerprint(line);
    if (!isSame || !('record' in parsed)) {
      throw new BundleError([{ ...origins.at(kind, line.number), reason }], 1);
    }
    const dates = supplements.datesOf(parsed.record, parsed.dates);
    yield { record: parsed.record, dates };
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
  const refuse = (fault: Fault): never => {
    throw new BundleError([fault], 1);
  };
  if (!found) return refuse({ file: path, reason: await describeMissing(path, 'a bundle') });
  if (!found.isDirectory()) {
    const { describeFile } = await import('@archiefkast/formats');
    const reason = 'is not a bundle: expected a folder, or a workbook whose name ends in .xlsx';
    return refuse({ file: path, reason: (found.isFile() && (await describeFile(path))) || reason });
  }
  const missing = await missingFiles(path);
  if (missing.length === 0) return undefined;
  if (missing.length === READING_ORDER.length) {
    const { openCsvTables } = await import('./tables/open-tables.ts');
    const tables = await openCsvTables(path, faults);
    if (tables) return tables;
    const files = (await readdir(path)).filter((name) => /\.(xlsx?|xlsm|ods)$/i.test(name));
    const others = files.length > 0 ? `, but ${files.join(', ')}: name the workbook itself` : '';
    const reason = `is not a bundle: it has no tables (persons.csv …) and no files of JSON lines (persons.jsonl …)${others}`;
    return refuse({ file: path, reason });
  }
  for (const file of missing) {
    faults.add(
      { file, reason: `is missing in ${path}; use an empty file for a kind without records` },
      'table',
    );
  }
  faults.throwIfAny();
  return undefined;
}

/** Why a path that does not exist is none, with one beside it that may be meant. */
export async function describeMissing(path: string, expected: string): Promise<string> {
  const folder = dirname(resolve(path));
  const beside = await readdir(folder).catch(() => undefined);
  if (!beside) return `does not exist, nor does the folder ${folder}; expected ${expected}`;
  const near = nearestName(basename(path), beside);
  return `does not exist in ${folder}; ${near ? `did you mean ${near}?` : `expected ${expected}`}`;
}

/** The names of the missing files of JSON lines. */
async function missingFiles(folder: string): Promise<string[]> {
  const names = READING_ORDER.map(fileOf);
  const found = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.isFile() ?? false),
  );
  return names.filter((_, index) => !found[index]);
}
