import type { DatabaseConfig } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { LockHeldError, withLock } from '../database/lock.ts';

/** Another process publishes into the same database. */
export class PublishLockedError extends Error {
  override name = 'PublishLockedError';

  constructor() {
    super('another publish into this database is under way; try again when it has ended');
  }
}

/**
 * Runs `work` while no other process publishes into the database.
 *
 * @throws PublishLockedError when another process does
 */
export async function withPublishLock<Result>(
  database: Database,
  config: DatabaseConfig,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(database, config, { name: 'publish', waitSeconds: 0 }, work);
  } catch (error) {
    throw error instanceof LockHeldError ? new PublishLockedError() : error;
  }
}
