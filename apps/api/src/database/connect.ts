import knex, { type Knex } from 'knex';
import type { DatabaseConfig } from '../config.ts';
import { SqliteClient } from './sqlite-client.ts';

/** A connection pool to the database of the editions. */
export type Database = Knex;

/** Knex writes to stdout what it throws as well; stdout is for data. */
const log: Knex.Logger = { warn() {}, error() {}, debug() {}, deprecate() {} };

/**
 * Opens the database. Nothing is sent until the first statement.
 *
 * @returns the pool; the caller destroys it
 */
export function connect(config: DatabaseConfig): Database {
  if (config.engine === 'sqlite') {
    return knex({
      client: SqliteClient,
      connection: { filename: config.file },
      useNullAsDefault: true,
      pool: { min: 1, max: 1 },
      log,
    });
  }
  const url = new URL(config.url);
  return knex({
    client: 'mysql2',
    connection: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      charset: 'utf8mb4',
      timezone: 'Z',
    },
    pool: { min: 0, max: 8 },
    log,
  });
}

/** Whether the database is SQLite. */
export function isSqlite(database: Database): boolean {
  return database.client instanceof SqliteClient;
}
