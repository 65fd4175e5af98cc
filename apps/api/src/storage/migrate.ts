import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isAccessDenied } from './database-errors.ts';
import { ensureLeases, withLease } from './lease.ts';
import * as editions from './migrations/0001-editions.ts';
import * as leases from './migrations/0002-leases.ts';
import * as incremental from './migrations/0003-incremental.ts';

const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-editions': editions,
  '0002-leases': leases,
  '0003-incremental': incremental,
};

/** The table in which Knex records completed migrations. */
const DONE = 'knex_migrations';

const source: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = MIGRATIONS[name];
    if (!migration) throw new Error(`unknown migration ${name}`);
    return migration;
  },
};

/** Maximum wait for another process that is migrating the same database, in milliseconds. */
const PATIENCE = 120_000;

/** The state of the tables, relative to this version. */
export interface MigrationState {
  /** Migrations that have not been run yet, in order. */
  pending: string[];
  /** Whether the database has no tables, because nothing has ever been published. */
  isEmpty: boolean;
}

/** Reads which migrations are pending. */
export async function readMigrationState(database: Database): Promise<MigrationState> {
  const exists = await database.schema.hasTable(DONE);
  const done = new Set<string>(exists ? await database(DONE).pluck('name') : []);
  return {
    pending: Object.keys(MIGRATIONS).filter((name) => !done.has(name)),
    isEmpty: done.size === 0,
  };
}

/**
 * Runs pending migrations; writes nothing if there are none. Waits for another process that is migrating, and completes
 * the migration of a killed one.
 *
 * Knex's own lock is a row that a killed process leaves behind, and that two processes starting on an empty database can
 * lock for good. Our lease replaces it, so that row is always released first.
 *
 * @returns the names of the completed migrations
 * @throws Error if this user of the database may not change tables; LeaseHeldError if another process does not finish migrating in time; the signal's reason
 */
export async function migrate(
  database: Database,
  { signal, term }: { signal?: AbortSignal; term?: number } = {},
): Promise<string[]> {
  const { pending, isEmpty } = await readMigrationState(database);
  if (pending.length === 0) return [];
  const options = { name: 'migrate', patience: PATIENCE, signal, ...(term && { term }) } as const;
  try {
    await ensureLeases(database);
    return await withLease(database, options, async () => {
      await database.migrate.forceFreeMigrationsLock({ migrationSource: source });
      const [, names] = (await database.migrate.latest({ migrationSource: source })) as [number, string[]];
      return names;
    });
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      `this database ${isEmpty ? 'has no tables yet' : `has tables of an earlier version (${pending.join(', ')})`}, and this ` +
        `user may not change tables; run archive-api migrate as a user that may (archive_migrate): ${error.message}`,
      { cause: error },
    );
  }
}
