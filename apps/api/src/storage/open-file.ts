import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Of a new file. Records are texts of several kilobytes: on pages of 4 KiB, SQLite's own, a file is a fifth larger. */
const PAGE_BYTES = 16 * 1024;

/** What SQLite makes beside a file that has a log, at least. */
const LOG_INDEX_BYTES = 32 * 1024;

const SQLITE_BUSY = 5;
/** Tries to switch a file to write-ahead logging, and milliseconds between two. */
const LOG_TRIES = 500;
const LOG_PAUSE = 20;

/** Opens a database file; makes it where there is none. On media that cannot be written to, it is read only. */
export function openFile(file: string): DatabaseSync {
  try {
    return openToWrite(file);
  } catch (error) {
    if (isUnwritable(file)) return openUnchanging(file);
    throw error;
  }
}

/** Whether there is less room on the disk of a file than it takes to open one that has a log. */
export function isFull(file: string): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(dirname(file));
    return blocks > 0 && bavail * bsize < LOG_INDEX_BYTES;
  } catch {
    return false;
  }
}

function openToWrite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  try {
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    switchToLog(database);
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A file that is not in this mode is switched to it by one process alone; SQLite does not let others wait for that,
 * but says at once that the file is locked.
 */
function switchToLog(database: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || tries === LOG_TRIES) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE);
  }
}

/** Whether the file is there, on media that cannot be written to by this path, whoever asks. */
function isUnwritable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

/**
 * Opens a file as one that does not change: any other, SQLite reads with the help of a file that it makes beside it.
 *
 * @throws Error when there is a log beside it, which would be left out
 */
function openUnchanging(file: string): DatabaseSync {
  const log = `${file}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(
      `nothing can be written there, and ${log} holds changes that are not in the file yet; ` +
        'run archive-api editions where it can be written, which brings them in',
    );
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true });
}
