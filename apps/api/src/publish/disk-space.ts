import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { existing, freeBytesOn } from '@archiefkast/system';
import type { Config } from '../config.ts';
import type { Database } from '../storage/connect.ts';
import type { DatabaseAddress } from '../storage/database-url.ts';

/** Bytes in a database file per byte of bundle records; measured: 4.1 to 5. */
const IN_DATABASE = 4;
/** Bytes in a search index per byte of bundle records; measured: 0.4 to 0.7, as merging stores pieces twice. */
const IN_INDEX = 0.6;

/** Bytes reserved for the write-ahead log of an SQLite file, which is checkpointed at 16 MB. */
const LOG_BYTES = 32 * 2 ** 20;

/** Free bytes below which a publish stops: without space for its log, an SQLite file cannot be recovered. */
const LEAST_BYTES = 20 * 2 ** 20;

/** Size of the reserve beside an SQLite file; a switch writes about 150 kB, into the log and its index. */
const RESERVE_BYTES = 2 ** 20;

/** Interval between checks of the free space during a publish. */
const CHECK_MILLISECONDS = 250;

/** The disk does not have enough free space for an edition. */
export class DiskSpaceError extends Error {
  override name = 'DiskSpaceError';
}

/** Checks the free space on the disks that a publish writes to. */
export interface DiskSpace {
  /**
   * Checks that there is enough space for an edition.
   *
   * @param bytes size of its records
   * @throws DiskSpaceError saying how much is needed, and in which folder
   */
  require(bytes: number): Promise<void>;
  /** Checks at most every 250 ms that space is left. @throws DiskSpaceError before a disk is full */
  check(): void;
}

/** A folder that a publish writes to, and the setting that names it. */
interface Folder {
  setting: string;
  path: string;
  needed: (bytes: number) => Promise<number>;
}

/** The disk space of this machine; that of a MySQL server is not checked. */
export function createDiskSpace(
  database: Database,
  { database: address, derivedFolder }: Pick<Config, 'database' | 'derivedFolder'>,
): DiskSpace {
  const folders: Folder[] = [
    { setting: 'DERIVED_DIR', path: derivedFolder, needed: async (bytes) => bytes * IN_INDEX },
  ];
  if (address.engine === 'sqlite') {
    const needed = async (bytes: number) =>
      Math.max(0, bytes * IN_DATABASE - (await freeBytes(database))) + LOG_BYTES;
    folders.unshift({ setting: 'DATABASE_URL', path: dirname(address.file), needed });
  }
  let checkedAt = Number.NEGATIVE_INFINITY;

  return {
    async require(bytes) {
      const byDisk = Map.groupBy(folders, ({ path }) => statSync(existing(path)).dev);
      for (const onDisk of byDisk.values()) {
        const needs = await Promise.all(onDisk.map(({ needed }) => needed(bytes)));
        const needed = needs.reduce((sum, each) => sum + each, LEAST_BYTES);
        const free = freeBytesOn(onDisk[0]?.path ?? '.');
        if (free >= needed) continue;
        const names = onDisk.map(nameFolder).join(' and ');
        throw new DiskSpaceError(
          `not enough disk space: publishing needs about ${megabytes(needed)} in ${names}, and ${megabytes(free)} are free`,
        );
      }
    },
    check() {
      const now = performance.now();
      if (now - checkedAt < CHECK_MILLISECONDS) return;
      checkedAt = now;
      for (const folder of folders) {
        const free = freeBytesOn(folder.path);
        if (free >= LEAST_BYTES) continue;
        throw new DiskSpaceError(
          `not enough disk space: only ${megabytes(free)} are free in ${nameFolder(folder)}; publishing stopped before the disk is full`,
        );
      }
    },
  };
}

/**
 * Runs `work`, which may switch editions, even if the disk of an SQLite file is full: a reserve of 1 MiB beside the file is
 * deleted first, and written again after success, as soon as there is room.
 */
export async function withReserve<Result>(
  { database: address }: { database: DatabaseAddress },
  work: () => Promise<Result>,
): Promise<Result> {
  if (address.engine !== 'sqlite') return await work();
  const reserve = `${address.file}-reserve`;
  if (freeBytesOn(dirname(reserve)) < RESERVE_BYTES) await rm(reserve, { force: true });
  const result = await work();
  await writeReserve(reserve);
  return result;
}

async function writeReserve(file: string): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  try {
    // Random, because some file systems store no zeros.
    await writeFile(file, randomBytes(RESERVE_BYTES));
  } catch {
    // The result of the work matters more, and a part of the reserve may be enough; the next publish or switch tries again.
  }
}

/** Bytes of unused pages in a database file. */
async function freeBytes(database: Database): Promise<number> {
  const [free] = await database.raw(
    'select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size',
  );
  return Number(free?.bytes ?? 0);
}

function nameFolder({ setting, path }: Folder): string {
  return `${resolve(path)} (${setting})`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
}
