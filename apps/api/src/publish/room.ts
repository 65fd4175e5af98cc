import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../storage/connect.ts';

/** Bytes on disk for one byte of the records of a bundle: measured 4.1 to 5 in a database file … */
const IN_DATABASE = 4;
/** … and 0.4 to 0.7 in a search index, of which pieces stand twice while they are merged. */
const IN_INDEX = 0.6;

/** Room for the log of an SQLite file, which is brought into the file when it has 16 MB. */
const LOG_BYTES = 32 * 2 ** 20;

/** A publish that goes on with less would fill the disk: without room for its log, a file cannot be brought in order. */
const LEAST_BYTES = 20 * 2 ** 20;

/** How often the room is looked at while something is written. */
const LOOK_MILLISECONDS = 250;

/** There is no room for an edition. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/** The room that a publish has on the disks that it writes to. */
export interface Room {
  /**
   * Sees whether there is room for an edition.
   *
   * @param bytes size of its records
   * @throws NoRoomError that says how much is needed where
   */
  require(bytes: number): Promise<void>;
  /** Looks, now and then, whether there is some left. @throws NoRoomError before a disk is full */
  look(): void;
}

/** A folder that a publish writes to, by the setting that names it. */
interface Folder {
  setting: string;
  path: string;
  needed: (bytes: number) => Promise<number>;
}

/** The room on this machine: a MySQL server keeps its own. */
export function createRoom(
  database: Database,
  { database: address, derivedFolder }: Pick<Config, 'database' | 'derivedFolder'>,
): Room {
  const folders: Folder[] = [
    { setting: 'DERIVED_DIR', path: derivedFolder, needed: async (bytes) => bytes * IN_INDEX },
  ];
  if (address.engine === 'sqlite') {
    const needed = async (bytes: number) =>
      Math.max(0, bytes * IN_DATABASE - (await freeBytes(database))) + LOG_BYTES;
    folders.unshift({ setting: 'DATABASE_URL', path: dirname(address.file), needed });
  }
  let looked = Number.NEGATIVE_INFINITY;

  return {
    async require(bytes) {
      const byDisk = Map.groupBy(folders, ({ path }) => statSync(existing(path)).dev);
      for (const onDisk of byDisk.values()) {
        const needs = await Promise.all(onDisk.map(({ needed }) => needed(bytes)));
        const needed = needs.reduce((sum, each) => sum + each, LEAST_BYTES);
        const free = freeOn(onDisk[0]?.path ?? '.');
        if (free >= needed) continue;
        const names = onDisk.map(nameFolder).join(' and ');
        throw new NoRoomError(
          `no room: publishing needs about ${megabytes(needed)} in ${names}, and there are ${megabytes(free)} free`,
        );
      }
    },
    look() {
      const now = performance.now();
      if (now - looked < LOOK_MILLISECONDS) return;
      looked = now;
      for (const folder of folders) {
        const free = freeOn(folder.path);
        if (free >= LEAST_BYTES) continue;
        throw new NoRoomError(
          `no room: only ${megabytes(free)} are left in ${nameFolder(folder)}; publishing stopped before the disk is full`,
        );
      }
    },
  };
}

/** What a database file has in pages that nothing uses. */
async function freeBytes(database: Database): Promise<number> {
  const [free] = await database.raw(
    'select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size',
  );
  return Number(free?.bytes ?? 0);
}

function freeOn(path: string): number {
  const { bavail, bsize, blocks } = statfsSync(existing(path));
  // Some file systems do not tell.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/** The folder, or the nearest one above that there is. */
function existing(path: string): string {
  const folder = resolve(path);
  return statSync(folder, { throwIfNoEntry: false }) ? folder : existing(dirname(folder));
}

function nameFolder({ setting, path }: Folder): string {
  return `${resolve(path)} (${setting})`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
}
