import { existsSync } from 'node:fs';
import type { DatabaseAddress } from '../config.ts';
import { connect, type Database } from './connect.ts';
import { isMigrated, migrate } from './schema.ts';

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
 * @throws Error if the file of SQLite does not exist; NothingPublishedError if there are no tables; OtherSchemaError if another release made them
 */
export async function withDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Opening would create the file.
  if (config.engine === 'sqlite' && !existsSync(config.file))
    throw new Error(
      `DATABASE_URL: ${config.file} does not exist: expected a file that archive-api publish has made`,
    );
  await using opened = open(config);
  if (!(await isMigrated(opened.database))) throw new NothingPublishedError();
  return await work(opened.database);
}

/**
 * Opens the database for `work`, creates its tables if needed, and closes it afterwards.
 *
 * @param work is told whether tables were missing
 */
export async function withMigratedDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database, isNew: boolean) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  await using opened = open(config);
  return await work(opened.database, await migrate(opened.database, signal));
}

function open(config: DatabaseAddress) {
  const database = connect(config);
  return { database, [Symbol.asyncDispose]: () => database.destroy() };
}
