import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { existing, freeBytesOn } from '@archiefkast/system';
import type { Config } from '../config.ts';
import type { Database } from '../storage/connect.ts';

/** Bytes in a database file per byte of bundle records; measured: 4.1 to 5. */
const IN_DATABASE = 4;
/** Bytes in a search index per byte of bundle records; measured: 0.4 to 0.7, as merging stores pieces twice. */
const IN_INDEX = 0.6;

/** Bytes for the write-ahead log of an SQLite file, which is checkpointed at 16 MB. */
const LOG_BYTES = 32 * 2 ** 20;

/** Bytes that stay free on any disk. */
const LEAST_BYTES = 20 * 2 ** 20;

/** The disk does not have enough free space for an edition. */
export class DiskSpaceError extends Error {
  override name = 'DiskSpaceError';
}

/**
 * Checks that there is enough space for an edition on the disks of this machine that a publish writes to; that of a MySQL server is
 * not checked.
 *
 * @param written size of the records that are written to the database
 * @param indexed size of all records
 * @throws DiskSpaceError saying how much is needed, and in which folder
 */
export async function requireRoom(
  database: Database,
  { database: address, derivedFolder }: Pick<Config, 'database' | 'derivedFolder'>,
  written: number,
  indexed: number,
): Promise<void> {
  const folders = [{ setting: 'DERIVED_DIR', path: derivedFolder, needed: indexed * IN_INDEX }];
  if (address.engine === 'sqlite') {
    const needed = Math.max(0, written * IN_DATABASE - (await unusedBytes(database))) + LOG_BYTES;
    folders.unshift({ setting: 'DATABASE_URL', path: dirname(address.file), needed });
  }
  for (const onDisk of Map.groupBy(folders, ({ path }) => statSync(existing(path)).dev).values()) {
    const needed = onDisk.reduce((sum, each) => sum + each.needed, LEAST_BYTES);
    const free = freeBytesOn(onDisk[0]?.path ?? '.');
    if (free >= needed) continue;
    const names = onDisk.map(({ setting, path }) => `${resolve(path)} (${setting})`).join(' and ');
    throw new DiskSpaceError(
      `not enough disk space: publishing needs about ${megabytes(needed)} in ${names}, and ${megabytes(free)} are free`,
    );
  }
}

/** Bytes of unused pages in a database file. */
async function unusedBytes(database: Database): Promise<number> {
  const [free] = await database.raw(
    'select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size',
  );
  return Number(free?.bytes ?? 0);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
}
