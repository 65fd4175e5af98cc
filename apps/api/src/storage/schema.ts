import { randomUUID } from 'node:crypto';
import type { Database } from './connect.ts';
import { isAccessDenied } from './database-errors.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { isSqlite } from './sqlite-client.ts';

/** The number of the tables below, and of the codes in their rows; it rises when these change. Release 1 had none. */
const SCHEMA = 6;

/** The table that says which schema the others have: it is made before them. */
const ARCHIVE = `
    singleton integer not null primary key, -- always 1: one row
    schema_number integer not null, -- see SCHEMA
    id varchar(36) not null, -- UUID: names this archive, wherever its database is
    versions bigint unsigned not null default 0, -- the last number that was given to a version
    verified_at varchar(24), -- when a copy last had what its original served, ISO 8601; null: it follows none
    follow_fault longtext -- why that could not be verified since`;

/**
 * The tables of release 2.0, in types that all engines have. Each table is made with its keys by one statement, because MySQL
 * and MariaDB commit each separately, and a killed program leaves those made so far; `leases` is the last.
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
    counts longtext not null, -- number of records of each kind, as JSON
    first_version bigint unsigned not null default 0, -- of the numbers for its versions, one for each record
    mapping integer unsigned not null, -- number of the mapping to Dublin Core with which it was written: see OAI_MAPPING
    all_changed_at bigint not null default 0, -- when it, or one before it, was served with all records changed for harvesters, in milliseconds since 1970
    archive longtext, -- archive.json of the bundle
    provenance longtext -- who published what, as JSON: see Provenance; null while it is being written`,
  served: `
    singleton integer not null primary key, -- always 1: one row
    edition integer unsigned not null, -- the edition that is served
    sequence bigint not null default 0 -- rises with every switch`,
  switches: `
    sequence bigint not null primary key, -- that of served, since this switch
    edition integer unsigned not null, -- which was served from then on; the row is deleted with it
    earlier integer unsigned, -- which was served until then; null: none
    \`at\` varchar(24) not null, -- ISO 8601, UTC
    command varchar(8) not null, -- publish, switch or rollback
    made_by longtext not null -- the user and the host, as JSON: see Actor`,
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
    text_kind tinyint unsigned not null, -- code of the text kind that is embedded
    ordinal integer unsigned not null, -- place in the array
    record bigint unsigned not null, -- the record that is embedded, in the version of the same edition
    primary key (version, text_kind, ordinal)`,
  entries: `
    edition integer unsigned not null,
    kind tinyint unsigned not null, -- code of the kind
    position integer unsigned not null, -- dense rank in the list of its kind, by id
    record bigint unsigned not null,
    version bigint unsigned not null,
    changed_at bigint, -- since when it says this, in milliseconds since 1970; null: since the time of its edition
    shown varchar(22) not null, -- digest of what harvesters are shown of it, with the names of other records
    datestamp bigint, -- since when they are shown this, in milliseconds since 1970; null: since its edition is served
    -- SQLite would look a record up by the edition alone if this began with it.
    primary key (kind, edition, position),
    unique (edition, record, version),
    unique (edition, changed_at, kind, position),
    unique (edition, datestamp, kind, position)`,
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
    dump varchar(16) not null, -- what it has: a collection, or abbreviated events
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
};

/** Creates the tables and rows that are missing; safe to run concurrently, and after one that was killed. */
async function createTables(database: Database): Promise<void> {
  await createTable(database, 'archive', ARCHIVE);
  const row = { singleton: 1, schema_number: SCHEMA, id: randomUUID() };
  await database('archive').insert(row).onConflict('singleton').ignore();
  for (const [name, columns] of Object.entries(TABLES)) await createTable(database, name, columns);
  await database('leases').insert({ name: 'publish' }).onConflict('name').ignore();
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

/** What release 1 recorded in a table of its own. */
const RELEASE_1 = { table: 'knex_migrations', name: '0001-editions' } as const;

/** The database was made by another release, so nothing in it may be read. */
export class OtherSchemaError extends Error {
  override name = 'OtherSchemaError';

  /** @param release which made it */
  constructor(release: string) {
    super(
      `DATABASE_URL: this database was made by ${release} of archive-api, which this release cannot read. Set DATABASE_URL ` +
        'to a new file or an empty database, and run archive-api publish with the bundle; this one was not changed.',
    );
  }
}

/** The row of the archive. */
interface ArchiveRow {
  id: string;
  verified_at: string | null;
  follow_fault: string | null;
}

/** How a copy follows its original: when it last had what that served, and why this could not be verified since. */
export interface Following {
  verifiedAt: Date;
  fault: string | null;
}

/** The row of the archive, which says which schema the database has; undefined if it was not made yet. @throws OtherSchemaError */
async function findArchive(database: Database): Promise<ArchiveRow | undefined> {
  // All columns, as another schema may have others.
  const archive: (ArchiveRow & { schema_number?: number }) | undefined = await database('archive').first();
  if (archive && archive.schema_number !== SCHEMA) {
    const number = archive.schema_number ?? 'without a number';
    throw new OtherSchemaError(`another release (schema ${number}; this one has schema ${SCHEMA})`);
  }
  return archive;
}

/** Reads the random id of the archive, which identifies the database at any address. @throws OtherSchemaError */
export async function readArchiveId(database: Database): Promise<string> {
  return (await readArchive(database)).id;
}

/** Reads the id of the archive, and how it follows another one, if it does. @throws OtherSchemaError */
export async function readArchive(
  database: Database,
): Promise<{ id: string; following: Following | undefined }> {
  const archive = await findArchive(database);
  if (!archive) throw new Error('the database does not say which archive it has');
  const { id, verified_at: at, follow_fault: fault } = archive;
  return { id, following: at === null ? undefined : { verifiedAt: new Date(at), fault } };
}

/** Notes that a copy has what its original serves, or why that cannot be verified. */
export async function noteFollowing(
  database: Database,
  { verifiedAt, fault = null }: Partial<Following>,
): Promise<void> {
  const row = { follow_fault: fault, ...(verifiedAt && { verified_at: verifiedAt.toISOString() }) };
  await retryConflicts(async () => await database('archive').update(row));
}

/** Whether the database has its tables, of which the row of the lease is made last. @throws OtherSchemaError */
export async function isMigrated(database: Database): Promise<boolean> {
  const { table, name } = RELEASE_1;
  if ((await database.schema.hasTable(table)) && (await database(table).where({ name }).first()))
    throw new OtherSchemaError('release 1');
  if (!(await database.schema.hasTable('archive')) || !(await findArchive(database))) return false;
  return (await database.schema.hasTable('leases')) && (await database('leases').first()) !== undefined;
}

/**
 * Creates the tables; writes nothing if they are there.
 *
 * @returns whether some were missing
 * @throws OtherSchemaError; Error if this user of the database may not change tables; the signal's reason
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
