import type { Knex } from 'knex';
import type { DatabaseConfig } from '../config.ts';
import type { Database } from './connect.ts';
import { withLock } from './lock.ts';
import * as editions from './migrations/0001-editions.ts';

const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-editions': editions,
};

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
const WAIT_SECONDS = 30;

/**
 * Brings the tables to the form this version needs. When another process is doing so, waits for it (up to 30 s).
 *
 * Knex's own lock is a row that a killed process leaves behind, and that two processes which start at once on an
 * empty database both write, which locks it for good. Under our lock that row means nothing: it is freed.
 *
 * @returns the names of the migrations that were run
 * @throws LockHeldError when another process has not ended migrating in time
 */
export async function migrate(database: Database, config: DatabaseConfig): Promise<string[]> {
  return await withLock(database, config, { name: 'migrate', waitSeconds: WAIT_SECONDS }, async () => {
    await database.migrate.forceFreeMigrationsLock({ migrationSource: source });
    const [, names] = (await database.migrate.latest({ migrationSource: source })) as [number, string[]];
    return names;
  });
}
