import type { Config } from '../config.ts';
import { connect, type Database } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';

/** Opens the database, brings its tables up to date, and closes it when `work` has ended. */
export async function withDatabase<Result>(
  { database: config }: Pick<Config, 'database'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = connect(config);
  try {
    await migrate(database, config);
    return await work(database);
  } finally {
    await database.destroy();
  }
}
