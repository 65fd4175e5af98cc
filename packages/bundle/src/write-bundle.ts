import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Fields, type SheetContent, tableContents, tableCsv, writeWorkbook } from '@archiefkast/formats';
import { makeFolder, putInPlace } from '@archiefkast/system';
import { KINDS, type Kind, type Supplement } from '@archiefkast/types';
import { ARCHIVE_FILE } from './archive-description.ts';
import { type CheckedBundle, readRecords } from './check-bundle.ts';
import { fileOf } from './faults.ts';
import { withSizes } from './picture-size.ts';
import { SUPPLEMENT_FILE } from './supplements.ts';

/** A format of a bundle: tables (a folder of CSV files, or a workbook) or JSON lines. */
export type BundleFormat = 'tables' | 'jsonl';

/**
 * Writes a checked bundle as a folder or a workbook. If that fails, the folder is emptied again.
 *
 * @param onRecord called for every record; an error that it throws ends the work
 * @throws Error if the file exists or the folder is not empty, or if tables cannot store the dates
 */
export async function writeBundle(
  bundle: CheckedBundle,
  path: string,
  format: BundleFormat,
  onRecord: () => void = () => {},
): Promise<void> {
  const { firstDays } = bundle;
  const { archive } = bundle.source;
  const records = (kind: Kind) => storedRecords(bundle, kind, onRecord);
  if (format === 'tables') {
    if (firstDays > 0 && !archive) throw new Error(NO_DESCRIPTION);
    if (firstDays > 0 && archive) archive.partial_dates = 'first-day';
    await writeTables(await tableContents({ records, archive }), path);
    return;
  }
  await inNewFolder(path, async () => {
    for (const kind of KINDS) await writeStream(join(path, fileOf(kind)), linesOf(records(kind)));
    if (archive) await writeStream(join(path, ARCHIVE_FILE), [`${JSON.stringify(archive, undefined, 2)}\n`]);
    if (firstDays > 0 && !archive?.partial_dates)
      await writeStream(join(path, SUPPLEMENT_FILE), linesOf(supplements(bundle)));
  });
}

const NO_DESCRIPTION =
  'dates of which less than a day is known need a description of the archive (archive.json), where partial_dates ' +
  'allows them: tables cannot store them without it; write them with --format jsonl';

/**
 * Writes tables: a workbook if the path ends in .xlsx, otherwise a folder of CSV files.
 *
 * @throws Error if the file exists or the folder is not empty
 */
export async function writeTables(tables: readonly SheetContent[], path: string): Promise<void> {
  if (isWorkbook(path)) {
    if (await stat(path).catch(() => undefined)) throw new Error(`${path} already exists`);
    await writeStream(path, writeWorkbook(tables));
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

async function* linesOf(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

async function* supplements(bundle: CheckedBundle): AsyncGenerator<Supplement> {
  for (const kind of ['person', 'event'] as const) {
    for await (const { record, dates } of readRecords(bundle, kind)) {
      if (Object.keys(dates).length > 0) yield { kind, id: record.id, uuid: record.uuid, dates };
    }
  }
}

/** The records of a kind with their stored fields; events include subjects that came from elsewhere. */
async function* storedRecords(
  bundle: CheckedBundle,
  kind: Kind,
  onRecord: () => void,
): AsyncGenerator<Fields> {
  for await (const { record, dates } of readRecords(bundle, kind)) {
    onRecord();
    const { events, subjects, ...stored }: Record<string, unknown> = {
      ...withSizes(record, bundle.supplements.picturesOf(record.uuid)),
      ...(bundle.source.archive?.partial_dates && dates),
    };
    if (kind !== 'subject') stored['subjects'] = subjects ?? bundle.records.subjectsOf.get(record.uuid) ?? [];
    yield stored;
  }
}

async function writeStream(
  path: string,
  pieces: AsyncIterable<string | Buffer> | Iterable<string>,
): Promise<void> {
  // While a block is written, the pieces after it are collected, and are then written at once.
  await putInPlace(`${path}.part`, path, (part) =>
    pipeline(pieces, createWriteStream(part, { highWaterMark: 1 << 18 })),
  );
}
