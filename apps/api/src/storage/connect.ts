import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import type { DatabaseAddress } from '../config.ts';
import { explainStatement, isAccessDenied } from './database-errors.ts';
import { retryConflicts } from './lease.ts';
import { MysqlClient, toConnection } from './mysql-client.ts';
import { isSqlite, SqliteClient } from './sqlite-client.ts';

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
  const where = isFile ? config.file : new URL(config.url).host;
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

/**
 * The tables of release 2.0, in types that all engines have. Each table is made with its keys by one statement, because MySQL
 * and MariaDB commit each separately, and a killed program leaves those made so far; `archive` is the last.
 *
 * A version of a record has its texts and what it embeds; the entries of an edition say which versions it has. Editions share
 * the versions of records that did not change (docs/decisions/0002).
 */
const TABLES: Readonly<Record<string, string>> = {
  editions: `
    id [id], -- rises with every publish
    \`key\` varchar(36) not null unique, -- UUID: names the edition beyond this database
    status varchar(9) not null, -- writing or published
    published_at varchar(24), -- ISO 8601, UTC; null while it is being written
    served_at varchar(24), -- when it was last switched to, ISO 8601; null: held, and never served
    fence bigint not null default 0, -- of the lease under which it was written
    source varchar(64), -- SHA-256 of the files of its bundle and the version of the program
    compared_with integer unsigned, -- the edition since which \`changes\` has its changes
    persons integer unsigned not null default 0,
    subjects integer unsigned not null default 0,
    locations integer unsigned not null default 0,
    events integer unsigned not null default 0,
    first_version bigint unsigned not null default 0, -- of the numbers for its versions, one for each record
    archive longtext -- archive.json of the bundle`,
  served: `
    slot integer not null primary key, -- always 1: one row
    edition integer unsigned not null, -- the edition that is served
    sequence bigint not null default 0, -- rises with every switch
    restored_at bigint not null default 0 -- when one was last served that was not made as the next, as an earlier one; in milliseconds since 1970`,
  versions: `
    version [integer] primary key, -- a number that is never given again
    record bigint unsigned not null, -- number of the first version of the same record
    kind tinyint unsigned not null, -- code of the kind
    uuid varchar(36) not null,
    id bigint unsigned not null,
    input varchar(22) not null, -- digest of all that its texts were rendered from
    digest varchar(22) not null, -- differs where what the record says of itself differs
    measures varchar(128) not null, -- hashes and sizes of its lines: see DumpBlocks
    unique (uuid, version)`,
  texts: `
    id [integer] primary key, -- text kind, language and version: see textsOf
    text longtext not null -- rendered record`,
  embeds: `
    version bigint unsigned not null, -- of the record that embeds
    form tinyint unsigned not null, -- code of the text kind that is embedded
    ordinal integer unsigned not null, -- place in the array
    record bigint unsigned not null, -- the record that is embedded, in the version of the same edition
    primary key (version, form, ordinal)`,
  entries: `
    edition integer unsigned not null,
    kind tinyint unsigned not null, -- code of the kind
    position integer unsigned not null, -- dense rank in the list of its kind, by id
    record bigint unsigned not null,
    version bigint unsigned not null,
    changed_at bigint, -- since when it says this, in milliseconds since 1970; null: since the time of its edition
    -- SQLite would look a record up by the edition alone if this began with it.
    primary key (kind, edition, position),
    unique (edition, record, version),
    unique (edition, changed_at, kind, position)`,
  changes: `
    edition integer unsigned not null,
    kind varchar(8) not null,
    \`change\` varchar(7) not null, -- added, changed or removed
    part integer unsigned not null, -- from 0
    uuids longtext not null, -- separated by spaces, ordered by id
    primary key (edition, kind, \`change\`, part)`,
  blocks: `
    edition integer unsigned not null,
    language varchar(2) not null,
    dump varchar(16) not null, -- name of the file, without its extension
    block integer unsigned not null, -- from 0
    bytes bigint unsigned not null, -- size of its lines, without base URLs
    links bigint unsigned not null, -- number of base URLs in its lines
    sha256 varchar(64) not null, -- of the hashes of its records
    primary key (edition, language, dump, block)`,
  gone: `
    uuid varchar(36) not null, -- of a record that was served and is no more
    kind tinyint unsigned not null, -- code of the kind
    since bigint not null, -- in milliseconds since 1970
    replaced_by varchar(36), -- uuid of the record that takes its place
    primary key (uuid),
    unique (since, uuid)`,
  leases: `
    name varchar(16) not null primary key, -- always publish: one row
    holder varchar(36),
    fence bigint not null default 0, -- rises with every holder
    \`until\` bigint not null default 0 -- 0 if it is free; every renewal adds 1`,
  archive: `
    slot integer not null primary key, -- always 1: one row
    id varchar(36) not null, -- UUID: names this archive, wherever its database is
    versions bigint unsigned not null default 0 -- the last number that was given to a version`,
};

/** Creates the tables and rows that are missing; safe to run concurrently, and after one that was killed. */
async function createTables(database: Database): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await createTable(database, name, columns);
  await database('leases').insert({ name: 'publish' }).onConflict('name').ignore();
  await database('archive').insert({ slot: 1, id: randomUUID() }).onConflict('slot').ignore();
}

/**
 * Creates a table, in which texts compare byte by byte, if it is missing. Rows stand in the order of a primary key of several
 * columns, in SQLite too.
 */
async function createTable(database: Database, name: string, columns: string): Promise<void> {
  const [id, integer, options] = isSqlite(database)
    ? [
        'integer primary key autoincrement',
        'integer not null',
        /primary key \(/.test(columns) ? 'without rowid' : '',
      ]
    : [
        'integer unsigned not null auto_increment primary key',
        'bigint unsigned not null',
        'engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin',
      ];
  const typed = columns.replace('[id]', id).replace('[integer]', integer);
  await database.raw(`create table if not exists ${name} (${typed}\n) ${options}`);
}

/** The database has no tables, because nothing has ever been published. */
export class NothingPublishedError extends Error {
  override name = 'NothingPublishedError';

  constructor() {
    super('nothing has been published yet');
  }
}

/** What release 1 recorded in a table of its own. */
const RELEASE_1 = { table: 'knex_migrations', name: '0001-editions' } as const;

/** Whether the database has its tables, of which the row that names the archive is made last. @throws Error if release 1 made it */
export async function isMigrated(database: Database): Promise<boolean> {
  const { table, name } = RELEASE_1;
  if ((await database.schema.hasTable(table)) && (await database(table).where({ name }).first())) {
    throw new Error(
      'DATABASE_URL: this database was made by release 1 of archive-api, which this release cannot read. Set DATABASE_URL ' +
        'to a new file or an empty database, and publish the bundle into that; this one was not changed.',
    );
  }
  return (await database.schema.hasTable('archive')) && (await database('archive').first('id')) !== undefined;
}

/**
 * Creates the tables; writes nothing if they are there.
 *
 * @returns whether some were missing
 * @throws Error if release 1 made the database, or this user of the database may not change tables; the signal's reason
 */
export async function migrate(database: Database, signal?: AbortSignal): Promise<boolean> {
  if (await isMigrated(database)) return false;
  try {
    await retryConflicts(() => createTables(database), signal);
    return true;
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      'this database has no tables yet, and this user may not change tables; run archive-api migrate as a user that may ' +
        `(archive_migrate): ${error.message}`,
      { cause: error },
    );
  }
}

/**
 * Opens the database for `work`, and closes it afterwards. Writes nothing by itself, so that a read-only user can
 * serve.
 *
 * @throws NothingPublishedError if there are no tables; Error if release 1 made them
 */
export async function withDatabase<Result>(
  { database: config }: { database: DatabaseAddress },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  // Opening would create the file.
  if (config.engine === 'sqlite' && !existsSync(config.file)) throw new NothingPublishedError();
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
