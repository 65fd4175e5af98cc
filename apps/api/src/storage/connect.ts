import knex, { type Knex } from 'knex';
import { explainStatement } from './database-errors.ts';
import type { DatabaseAddress } from './database-url.ts';
import { MysqlClient, toConnection } from './mysql-client.ts';
import { SqliteClient } from './sqlite-client.ts';

/** A connection pool to the database of the editions. */
export type Database = Knex;

/**
 * A connection to a server that was idle for so long is closed, before a proxy or the server's `wait_timeout` cuts it: the
 * statement that would notice is lost.
 */
const IDLE_MILLISECONDS = 2_000;

/** Knex writes to stdout what it throws as well; stdout is for data. */
const log: Knex.Logger = { warn() {}, error() {}, debug() {}, deprecate() {} };

/** How long a server of the database may let its clients wait, and how many connections they take. */
export interface ConnectionLimits {
  /** For a connection to be made. */
  connectMilliseconds: number;
  /** For a connection to be free and a statement to be answered, together; without, as long as it takes. */
  answerMilliseconds?: number;
  /** Most connections at a time. */
  poolSize: number;
}

const DEFAULT_LIMITS: ConnectionLimits = { connectMilliseconds: 10_000, poolSize: 8 };

/**
 * Opens the database. Nothing is sent until the first statement.
 *
 * @param limits of a server of MySQL or MariaDB; SQLite has one connection, in this process
 * @returns the pool; the caller destroys it
 * @throws Error naming a certificate that cannot be read
 */
export function connect(config: DatabaseAddress, limits: ConnectionLimits = DEFAULT_LIMITS): Database {
  const database = config.engine === 'sqlite' ? connectSqlite(config.file) : connectMysql(config, limits);
  const where = config.engine === 'sqlite' ? config.file : new URL(config.url).host;
  // Knex puts the statement before the cause.
  database.client.on('query-error', (error: unknown, { sql }: { sql: string }) =>
    explainStatement(error, sql, where),
  );
  return database;
}

function connectSqlite(file: string): Database {
  return knex({
    client: SqliteClient,
    connection: { filename: file },
    useNullAsDefault: true,
    compileSqlOnError: false,
    pool: { min: 1, max: 1 },
    log,
  });
}

function connectMysql(
  { url, tls }: DatabaseAddress & { engine: 'mysql' },
  { connectMilliseconds, answerMilliseconds, poolSize }: ConnectionLimits,
): Database {
  return knex({
    client: MysqlClient,
    connection: {
      ...toConnection(url, tls),
      charset: 'utf8mb4',
      timezone: 'Z',
      connectTimeout: connectMilliseconds,
    },
    compileSqlOnError: false,
    pool: {
      min: 0,
      max: poolSize,
      createTimeoutMillis: connectMilliseconds + 500,
      idleTimeoutMillis: IDLE_MILLISECONDS,
      reapIntervalMillis: 500,
    },
    ...(answerMilliseconds !== undefined && { acquireConnectionTimeout: answerMilliseconds }),
    log,
  });
}

/** Whether the database is SQLite. */
export function isSqlite(database: Database): boolean {
  return database.client instanceof SqliteClient;
}
