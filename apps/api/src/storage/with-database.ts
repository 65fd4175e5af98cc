import { existsSync } from 'node:fs';
import { connect, type Database } from './connect.ts';
import type { DatabaseAddress } from './database-url.ts';
import { hasTables, migrate } from './migrate.ts';

/** The database has no tables, because nothing has ever been published. */
export class NothingPublishedError extends Error {
  override name = 'NothingPublishedError';

  constructor() {
    super('nothing has been published yet');
  }
}

/**
 * Opens the database for `work`, and closes it afterwards. Writes nothing by itself, so that a read-only user can
 * serve.
 *
 * @throws NothingPublishedError if there are no tables; EarlierReleaseError
 */
export async function withDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Opening would create the file.
  if (config.engine === 'sqlite' && !existsSync(config.file)) throw new NothingPublishedError();
  return await withConnection(config, async (database) => {
    await requireTables(database);
    return await work(database);
  });
}

/** Checks the tables. @throws NothingPublishedError if there are none; EarlierReleaseError */
export async function requireTables(database: Database): Promise<void> {
  if (!(await hasTables(database))) throw new NothingPublishedError();
}

/** Opens the database for `work`, creates its tables if needed, and closes it afterwards. */
export async function withMigratedDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return await withConnection(config, async (database) => {
    await migrate(database, signal && { signal });
    return await work(database);
  });
}

async function withConnection<Result>(
  config: DatabaseAddress,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = connect(config);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
