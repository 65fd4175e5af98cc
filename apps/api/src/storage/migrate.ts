import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { ensureLeases, withLease } from './lease.ts';
import * as editions from './migrations/0001-editions.ts';
import * as leases from './migrations/0002-leases.ts';

const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-editions': editions,
  '0002-leases': leases,
};

/** Where Knex notes what was run. */
const DONE = 'knex_migrations';

const source: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = MIGRATIONS[name];
    if (!migration) throw new Error(`there is no migration ${name}`);
    return migration;
  },
};

/** How long a process waits for another one that migrates the same database. */
const PATIENCE = 120_000;

/** What the tables are, to this version. */
export interface MigrationState {
  /** Migrations that have not been run yet, in order. */
  pending: string[];
  /** Whether there is no table at all: nothing has ever been published. */
  isEmpty: boolean;
}

/** Sees which migrations have not been run; only reads. */
export async function readMigrationState(database: Database): Promise<MigrationState> {
  const exists = await database.schema.hasTable(DONE);
  const done = new Set<string>(exists ? await database(DONE).pluck('name') : []);
  return {
    pending: Object.keys(MIGRATIONS).filter((name) => !done.has(name)),
    isEmpty: done.size === 0,
  };
}

/**
 * Brings the tables to the form this version needs, and writes nothing when they have it. When another process is
 * doing so, waits for it. What a process that was killed had begun is ended.
 *
 * Knex's own lock is a row that a killed process leaves behind, and that two processes which start at once on an
 * empty database both write, which locks it for good. Under our lease that row means nothing: it is freed.
 *
 * @returns the names of the migrations that were run
 * @throws LeaseHeldError when another process has not ended migrating in time; the signal's reason
 */
export async function migrate(
  database: Database,
  { signal, term }: { signal?: AbortSignal; term?: number } = {},
): Promise<string[]> {
  if ((await readMigrationState(database)).pending.length === 0) return [];
  await ensureLeases(database);
  const options = { name: 'migrate', patience: PATIENCE, signal, ...(term && { term }) } as const;
  return await withLease(database, options, async () => {
    await database.migrate.forceFreeMigrationsLock({ migrationSource: source });
    const [, names] = (await database.migrate.latest({ migrationSource: source })) as [number, string[]];
    return names;
  });
}
