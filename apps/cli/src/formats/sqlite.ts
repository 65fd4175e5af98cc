import { DatabaseSync } from 'node:sqlite';
import {
  listOf,
  type ReadingColumn,
  type ReadingTable,
  readingTables,
  uuidOf,
} from '@archiefkast/formats/reading';
import { COLLECTIONS, type Kind } from '@archiefkast/types';
import { KIND_FACTS } from '@archiefkast/types/internal';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource, OpenTable } from './source.ts';

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
  const notes = tables.filter(({ kind }) => kind === undefined);
  const ofRecords = tables.filter(({ kind }) => kind !== undefined);
  const opened = [...notes, ...ofRecords].map((table) => openTable(database, table, source.kinds));
  await source.addRows(opened, warn);
  database.exec('COMMIT;');
  for (const table of ofRecords) database.exec(indexes(table));
  database.exec('VACUUM;');
}

/** Creates a table: that of a kind with those of its links, or that of footnotes or files with an index. */
function openTable(database: DatabaseSync, table: ReadingTable, kinds: readonly Kind[]): OpenTable {
  const { name, kind, columns } = table;
  const own = columns.filter(isOwn).map((column) => definition(column, kind && kinds));
  const insert = createTable(database, name, own);
  if (!kind) database.exec(`CREATE INDEX ${name}_record ON ${name} (record_uuid);`);
  const links = kind ? columns.flatMap((column) => linkTable(database, kind, column, kinds)) : [];
  return {
    ...table,
    add(row, record) {
      insert(row.filter((_, place) => isOwn(columns[place])));
      for (const { field, insert: link } of links) {
        for (const [index, value] of listOf(record[field]).entries())
          link([String(record['uuid']), uuidOf(value), String(index + 1)]);
      }
    },
  };
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

/** The definition of a column. @param kinds that a record may refer to; undefined if the rows of the table are no records */
function definition({ name, type, link }: ReadingColumn, kinds: readonly Kind[] | undefined): string {
  if (kinds && name === 'id') return 'id INTEGER PRIMARY KEY';
  if (kinds && name === 'uuid') return 'uuid TEXT NOT NULL UNIQUE';
  const affinity = type === 'integer' ? 'INTEGER' : type === 'number' ? 'REAL' : 'TEXT';
  return link ? `${name} ${affinity}${refersTo(link.kind, kinds ?? [], link.key)}` : `"${name}" ${affinity}`;
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

function indexes({ name: table, kind, columns }: ReadingTable): string {
  const texts = columns
    .filter(isOwn)
    .map(({ name }) => name)
    .filter((name) => /^(title|name|summary|content|description|\w+_name)(_nl|_en)?$|_names$/.test(name));
  return [
    ...(kind ? KIND_FACTS[kind].indexed : []).map(
      (column) => `CREATE INDEX ${table}_${column} ON ${table} ("${column}");`,
    ),
    `CREATE VIRTUAL TABLE ${table}_fts USING fts5 (${texts.join(', ')}, content="${table}", content_rowid="id", tokenize="unicode61 remove_diacritics 2");`,
    `INSERT INTO ${table}_fts (${table}_fts) VALUES ('rebuild');`,
  ].join('\n');
}

function refersTo(kind: Kind, kinds: readonly Kind[], key = 'uuid'): string {
  return kinds.includes(kind) ? ` REFERENCES ${COLLECTIONS[kind]} (${key})` : '';
}
