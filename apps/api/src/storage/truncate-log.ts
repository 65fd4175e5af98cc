import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isSqlite } from './connect.ts';
import { LOCK_MILLISECONDS } from './sqlite-client.ts';

/** Maximum number of attempts to truncate the log, and the pause after each in milliseconds. */
const TRIES = 20;
const PAUSE = 250;

/**
 * Copies the write-ahead log of an SQLite database into its file, and truncates it: until then, the log contains rows that
 * were deleted. Waits for transactions of other programs. Does nothing on MySQL and MariaDB.
 *
 * @throws Error if they do not end in time; the signal's reason
 */
export async function truncateLog(database: Database, signal: AbortSignal): Promise<void> {
  if (!isSqlite(database)) return;
  for (let tries = 0; tries < TRIES; tries += 1) {
    signal.throwIfAborted();
    if (await isTruncated(database)) return;
    await sleep(PAUSE);
  }
  const [main] = await database.raw("select file from pragma_database_list where name = 'main'");
  throw new Error(
    `${main.file}-wal still contains what was deleted, because another program has had a transaction open for ` +
      `${(TRIES * PAUSE) / 1_000} s; end it, and publish again with --keep 1`,
  );
}

/** Truncates the log unless that would have to wait, which would block this process and the renewal of its lease. */
async function isTruncated(database: Database): Promise<boolean> {
  await database.raw('pragma busy_timeout = 0');
  try {
    const [{ busy }] = await database.raw('pragma wal_checkpoint(truncate)');
    return busy === 0;
  } finally {
    await database.raw(`pragma busy_timeout = ${LOCK_MILLISECONDS}`);
  }
}
