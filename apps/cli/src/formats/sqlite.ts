import { DatabaseSync } from 'node:sqlite';
import {
  listOf,
  type ReadingColumn,
  type ReadingTable,
  readingTables,
  uuidOf,
} from '@archiefkast/formats/reading';
import { COLLECTIONS, KIND_FACTS, type Kind } from '@archiefkast/types';
import type { Format, FormatOptions } from './formats.ts';
import type { HarvestSource } from './source.ts';

const NAME = 'archive.sqlite';

/** An SQLite database: a table for each kind, link tables, indexes and full-text search. */
export const sqliteFormat: Format = {
  names: () => [NAME],
  async write(source, open, options) {
    const file = open(NAME);
    if (file) await writeDatabase(file.path, source, options);
  },
};

type Insert = (values: readonly (string | null)[]) => void;

async function writeDatabase(path: string, source: HarvestSource, { warn }: FormatOptions): Promise<void> {
  // References to kinds that were not harvested are dangling.
  using database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  // No journal needed: a failed run starts again with a new file.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 4096; BEGIN;');
  const { source: address, language, edition } = source.walk;
  const columns = ['source TEXT', 'language TEXT', 'edition TEXT'];
  createTable(database, 'archive', columns)([address, language, edition]);
  const tables = readingTables(source.kinds, { both: true });
  const notes = tables
    .filter(({ kind }) => kind === undefined)
    .map(({ name, columns, rows }) => {
      const definitions = columns.map((column) => definition(column, []));
      const insert = createTable(database, name, definitions);
      database.exec(`CREATE INDEX ${name}_record ON ${name} (record_uuid);`);
      return { rows, insert };
    });
  for (const table of tables)
    if (table.kind) await writeKind(database, table, table.kind, source, warn, notes);
  database.exec('COMMIT;');
  for (const table of tables) if (table.kind) database.exec(indexes(table, table.kind));
  database.exec('VACUUM;');
}

async function writeKind(
  database: DatabaseSync,
  table: ReadingTable,
  kind: Kind,
  source: HarvestSource,
  warn: FormatOptions['warn'],
  notes: readonly { rows: ReadingTable['rows']; insert: Insert }[],
): Promise<void> {
  const context = await source.context(kind, warn);
  const own = table.columns.filter(isOwn).map((column) => definition(column, source.kinds, true));
  const insert = createTable(database, table.name, own);
  const links = table.columns.flatMap((column) => linkTable(database, kind, column, source.kinds));
  for await (const records of source.completeRecords(kind)) {
    for (const record of records) {
      for (const row of table.rows(kind, record, context))
        insert(row.filter((_, place) => isOwn(table.columns[place])));
      for (const { field, insert: link } of links) {
        for (const [index, value] of listOf(record[field]).entries())
          link([String(record['uuid']), uuidOf(value), String(index + 1)]);
      }
      for (const note of notes) for (const row of note.rows(kind, record, context)) note.insert(row);
    }
  }
}

/** Creates a table; returns the function that inserts a row. An empty cell is NULL. */
function createTable(
  database: DatabaseSync,
  name: string,
  definitions: readonly string[],
  constraints: readonly string[] = [],
): Insert {
  database.exec(`CREATE TABLE ${name} (${[...definitions, ...constraints].join(', ')});`);
  const statement = database.prepare(`INSERT INTO ${name} VALUES (${definitions.map(() => '?').join(', ')})`);
  return (values) => {
    statement.run(...values.map((value) => value || null));
  };
}

/** Whether a column is in the table of its kind: a list of uuids has a link table. */
function isOwn(column: ReadingColumn | undefined): boolean {
  return !(column?.link && column.type === 'list');
}

/** The definition of a column. @param isRecord whether the rows of the table are records */
function definition({ name, type, link }: ReadingColumn, kinds: readonly Kind[], isRecord = false): string {
  if (isRecord && name === 'id') return 'id INTEGER PRIMARY KEY';
  if (isRecord && name === 'uuid') return 'uuid TEXT NOT NULL UNIQUE';
  const affinity = type === 'integer' ? 'INTEGER' : type === 'number' ? 'REAL' : 'TEXT';
  return link ? `${name} ${affinity}${refersTo(link.kind, kinds, link.key)}` : `"${name}" ${affinity}`;
}

/**
 * Creates the table that links the records of a kind to those of a column with a list of uuids, if it is one. The events of a
 * location are those that have it as their location.
 */
function linkTable(
  database: DatabaseSync,
  kind: Kind,
  { name, type, link }: ReadingColumn,
  kinds: readonly Kind[],
): { field: string; insert: Insert }[] {
  if (!link || type !== 'list' || name === 'events') return [];
  const isOwn = link.kind === kind;
  const table = isOwn ? name : `${kind}_${name}`;
  const other = isOwn ? `related_${kind}` : link.kind;
  const definitions = [
    `${kind} TEXT NOT NULL${refersTo(kind, kinds)}`,
    `${other} TEXT NOT NULL${refersTo(link.kind, kinds)}`,
    'place INTEGER NOT NULL',
  ];
  const insert = createTable(database, table, definitions, [`PRIMARY KEY (${kind}, place)`]);
  database.exec(`CREATE INDEX ${table}_${other} ON ${table} (${other});`);
  return [{ field: name, insert }];
}

/** The indexes of a kind's table, and its full-text index. */
function indexes({ name: table, columns }: ReadingTable, kind: Kind): string {
  const texts = columns
    .filter(isOwn)
    .map(({ name }) => name)
    .filter((name) => /^(title|name|summary|content|description|\w+_name)(_nl|_en)?$|_names$/.test(name));
  return [
    ...KIND_FACTS[kind].indexed.map((column) => `CREATE INDEX ${table}_${column} ON ${table} ("${column}");`),
    `CREATE VIRTUAL TABLE ${table}_fts USING fts5 (${texts.join(', ')}, content="${table}", content_rowid="id", tokenize="unicode61 remove_diacritics 2");`,
    `INSERT INTO ${table}_fts (${table}_fts) VALUES ('rebuild');`,
  ].join('\n');
}

/** A foreign key, if the table of the kind exists. */
function refersTo(kind: Kind, kinds: readonly Kind[], key = 'uuid'): string {
  return kinds.includes(kind) ? ` REFERENCES ${COLLECTIONS[kind]} (${key})` : '';
}
