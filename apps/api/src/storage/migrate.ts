import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isAccessDenied, retryConflicts } from './database-errors.ts';
import { withLease } from './lease.ts';
import { createTables, ensureLeases } from './schema.ts';

/** The migration of release 2.0, as Knex records it. */
const MIGRATION = 'release-2.0';

/** The table in which Knex records completed migrations. */
const DONE = 'knex_migrations';

const source: Knex.MigrationSource<string> = {
  getMigrations: async () => [MIGRATION],
  getMigrationName: (name) => name,
  // Knex demands both; nothing here goes back.
  getMigration: async () => ({ up: createTables, down: async () => {} }),
};

/** Maximum wait for another process that is migrating the same database, in milliseconds. */
const PATIENCE = 120_000;

/** The database has tables of release 1, which this one does not read. */
export class EarlierReleaseError extends Error {
  override name = 'EarlierReleaseError';

  constructor() {
    super(
      'DATABASE_URL: this database was made by release 1 of archive-api, which this release cannot read. Set DATABASE_URL ' +
        'to a new file or an empty database, and publish the bundle into that; this one was not changed.',
    );
  }
}

/** Whether the database has its tables. @throws EarlierReleaseError */
export async function hasTables(database: Database): Promise<boolean> {
  if (!(await database.schema.hasTable(DONE))) return false;
  const done: string[] = await database(DONE).pluck('name');
  if (done.includes('0001-editions')) throw new EarlierReleaseError();
  return done.includes(MIGRATION);
}

/**
 * Creates the tables; writes nothing if they are there. Waits for another process that does so, and completes the migration of a
 * killed one.
 *
 * Knex's own lock is a row that a killed process leaves behind, and that two processes starting on an empty database can
 * lock for good. Our lease replaces it, so that row is always released first.
 *
 * @returns the names of the completed migrations
 * @throws EarlierReleaseError; Error if this user of the database may not change tables; LeaseHeldError if another process does not finish
 *   migrating in time; the signal's reason
 */
export async function migrate(
  database: Database,
  { signal, term }: { signal?: AbortSignal; term?: number } = {},
): Promise<string[]> {
  if (await hasTables(database)) return [];
  const options = { name: 'migrate', patience: PATIENCE, signal, ...(term && { term }) } as const;
  try {
    await ensureLeases(database);
    const work = async () => {
      await database.migrate.forceFreeMigrationsLock({ migrationSource: source });
      const [, names] = (await database.migrate.latest({ migrationSource: source })) as [number, string[]];
      return names;
    };
    return await withLease(database, options, ({ signal: lost }) =>
      retryConflicts(work, { afterCut: true, signal: lost }),
    );
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      'this database has no tables yet, and this user may not change tables; run archive-api migrate as a user that may ' +
        `(archive_migrate): ${error.message}`,
      { cause: error },
    );
  }
}
