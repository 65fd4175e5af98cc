import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type RecordSource,
  type TableContent,
  type TabledRecord,
  tableContents,
  tableCsv,
  tableSheets,
  writeWorkbook,
} from '@archiefkast/formats';
import { makeFolder, writeWhole } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types';
import { ARCHIVE_FILE } from './archive-description.ts';
import type { CheckedBundle } from './check-bundle.ts';
import { fileOf } from './faults.ts';
import { readBundleRecords } from './open-bundle.ts';

/** A format of a bundle: tables (a folder of CSV files, or a workbook) or JSON lines. */
export type BundleFormat = 'tables' | 'jsonl';

/**
 * Writes a checked bundle as a folder or a workbook. If that fails, the folder is emptied again.
 *
 * @param onRecord called for every record; an error that it throws ends the work
 * @throws Error if the file exists or the folder is not empty; TableError if a record does not fit in tables
 */
export async function writeBundle(
  bundle: CheckedBundle,
  path: string,
  format: BundleFormat,
  onRecord: () => void = () => {},
): Promise<void> {
  const source = {
    kinds: KINDS,
    records: (kind: Kind) => storedRecords(bundle, kind, onRecord),
    archive: bundle.archive,
  };
  if (format === 'jsonl') await writeLines(source, path);
  else await writeTables(await tableContents(source), path);
}

/**
 * Writes tables: a workbook if the path ends in .xlsx, otherwise a folder of CSV files.
 *
 * @throws Error if the file exists or the folder is not empty
 */
export async function writeTables(tables: readonly TableContent[], path: string): Promise<void> {
  if (isWorkbook(path)) {
    if (await stat(path).catch(() => undefined)) throw new Error(`${path} already exists`);
    await writeStream(path, writeWorkbook(tableSheets(tables)));
    return;
  }
  await inNewFolder(path, async () => {
    for (const table of tables) await writeStream(join(path, `${table.name}.csv`), tableCsv(table));
  });
}

/** Whether a path names a workbook. */
export function isWorkbook(path: string): boolean {
  return /\.xlsx$/i.test(path);
}

async function inNewFolder(path: string, work: () => Promise<void>): Promise<void> {
  await makeFolder(path);
  if ((await readdir(path)).length > 0)
    throw new Error(`${path} is not empty; expected a new or empty folder`);
  try {
    await work();
  } catch (error) {
    for (const name of await readdir(path)) await rm(join(path, name));
    throw error;
  }
}

async function writeLines({ kinds, records, archive }: RecordSource, folder: string): Promise<void> {
  await inNewFolder(folder, async () => {
    for (const kind of kinds) {
      await writeStream(join(folder, fileOf(kind)), linesOf(records(kind)));
    }
    if (archive)
      await writeStream(join(folder, ARCHIVE_FILE), [`${JSON.stringify(archive, undefined, 2)}\n`]);
  });
}

async function* linesOf(records: AsyncIterable<TabledRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** The records of a kind with their stored fields; events include subjects that came from their location. */
async function* storedRecords(
  bundle: CheckedBundle,
  kind: Kind,
  onRecord: () => void,
): AsyncGenerator<TabledRecord> {
  for await (const record of readBundleRecords(bundle, kind)) {
    onRecord();
    const { events, subjects, ...stored }: Record<string, unknown> = record;
    if (kind !== 'subject') stored['subjects'] = subjects ?? bundle.eventSubjects.get(record.uuid) ?? [];
    yield stored;
  }
}

async function writeStream(
  path: string,
  pieces: AsyncIterable<string | Buffer> | Iterable<string>,
): Promise<void> {
  await writeWhole(path, async (file) => {
    let block: Buffer[] = [];
    let size = 0;
    const write = async () => {
      await file.appendFile(Buffer.concat(block));
      block = [];
      size = 0;
    };
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      block.push(bytes);
      size += bytes.length;
      if (size >= BLOCK) await write();
    }
    await write();
  });
}

/** Size of the write buffer, in bytes. */
const BLOCK = 256 * 1024;
