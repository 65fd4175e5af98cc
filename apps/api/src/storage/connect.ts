import knex, { type Knex } from 'knex';
import type { DatabaseAddress } from '../config.ts';
import { explainStatement } from './database-errors.ts';
import { MysqlClient, toConnection } from './mysql-client.ts';
import { SqliteClient } from './sqlite-client.ts';

/** A connection pool to the database of the editions. */
export type Database = Knex;

/**
 * Idle time after which a connection to a server is closed, before a proxy or the server's `wait_timeout` does so, which
 * would fail the next statement.
 */
const IDLE_MILLISECONDS = 2_000;

/** Silences Knex, which logs to stdout the errors that it also throws; stdout is for data. */
const log: Knex.Logger = { warn() {}, error() {}, debug() {}, deprecate() {} };

/** Timeouts and pool size for a database server. */
export interface ConnectionLimits {
  /** Timeout for opening a connection. */
  connectMilliseconds: number;
  /** Timeout for acquiring a connection and executing a statement, together; none by default. */
  answerMilliseconds?: number;
  /** Maximum number of connections. */
  poolSize: number;
}

const DEFAULT_LIMITS: ConnectionLimits = { connectMilliseconds: 10_000, poolSize: 8 };

/** The file or the host of a database, for messages. */
export function placeOfDatabase(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? address.file : new URL(address.url).host;
}

/**
 * Opens the database. Nothing is sent until the first statement.
 *
 * @param limits for MySQL and MariaDB; SQLite has one connection, in this process
 * @returns the pool; the caller destroys it
 */
export function connect(config: DatabaseAddress, limits: ConnectionLimits = DEFAULT_LIMITS): Database {
  const isFile = config.engine === 'sqlite';
  const database = knex({
    ...(isFile ? optionsOfFile(config.file) : optionsOfServer(config, limits)),
    compileSqlOnError: false,
    log,
  });
  const where = placeOfDatabase(config);
  // Knex prefixes the message with the statement.
  database.client.on('query-error', (error: unknown, { sql }: { sql: string }) =>
    explainStatement(error, sql, where),
  );
  return database;
}

function optionsOfFile(filename: string): Knex.Config {
  return {
    client: SqliteClient,
    connection: { filename },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  };
}

function optionsOfServer(
  { url, tls }: DatabaseAddress & { engine: 'mysql' },
  { connectMilliseconds, answerMilliseconds, poolSize }: ConnectionLimits,
): Knex.Config {
  return {
    client: MysqlClient,
    connection: { ...toConnection(url, tls), connectTimeout: connectMilliseconds },
    pool: {
      min: 0,
      max: poolSize,
      createTimeoutMillis: connectMilliseconds + 500,
      idleTimeoutMillis: IDLE_MILLISECONDS,
      reapIntervalMillis: 500,
    },
    ...(answerMilliseconds !== undefined && { acquireConnectionTimeout: answerMilliseconds }),
  };
}
