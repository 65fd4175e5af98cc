import { existsSync } from 'node:fs';
import { connect, type Database } from './connect.ts';
import type { DatabaseAddress } from './database-url.ts';
import { migrate, readMigrationState } from './migrate.ts';

/** Nothing has ever been published: there are no tables. */
export class NothingPublishedError extends Error {
  override name = 'NothingPublishedError';

  constructor() {
    super('nothing has been published yet');
  }
}

/**
 * Opens the database, and closes it when `work` has ended. Writes nothing by itself: whoever may only read can serve.
 *
 * @throws NothingPublishedError when there are no tables; Error when they are of an earlier version
 */
export async function withDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Opening would make the file.
  if (config.engine === 'sqlite' && !existsSync(config.file)) throw new NothingPublishedError();
  return await withConnection(config, async (database) => {
    await requireTables(database);
    return await work(database);
  });
}

/** @throws NothingPublishedError when there are no tables; Error when they are of an earlier version */
export async function requireTables(database: Database): Promise<void> {
  const { pending, isEmpty } = await readMigrationState(database);
  if (isEmpty) throw new NothingPublishedError();
  if (pending.length > 0) {
    throw new Error(
      `the tables of this database are of an earlier version; run archive-api migrate (${pending.join(', ')})`,
    );
  }
}

/** Opens the database, brings its tables up to date where they are not, and closes it when `work` has ended. */
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
