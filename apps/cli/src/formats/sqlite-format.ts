import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import {
  type CsvColumn,
  type CsvContext,
  csvColumns,
  FILES_COLUMNS,
  type Fields,
  FOOTNOTE_COLUMNS,
  fileReadingRows,
  footnoteRows,
  listOf,
  type PlainColumn,
  uuidOf,
} from '@archiefkast/formats/csv';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { createRowContexts } from './row-contexts.ts';

/** An SQLite database: a table for each kind, link tables, indexes and full-text search. */
export const sqliteFormat: Format = {
  name: 'sqlite',
  files: (source, options) => [
    { name: 'archive.sqlite', make: (path) => writeDatabase(path, source, options) },
  ],
};

type Insert = (values: readonly (string | null)[]) => void;

async function writeDatabase(path: string, source: HarvestSource, options: FormatOptions): Promise<void> {
  // A killed run may have left a partial file.
  await rm(path, { force: true });
  // References to kinds that were not harvested are dangling.
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    // No journal needed: a failed run starts again with a new file.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 4096; BEGIN;');
    const { source: address, language, edition } = await source.walk();
    const describe = createTable(database, {
      name: 'archive',
      sql: 'CREATE TABLE archive (source TEXT, language TEXT, edition TEXT);',
      columns: 3,
    });
    describe([address, language, edition]);
    const inserts = new Map(NOTE_TABLES.map((table) => [table.name, createTable(database, table)]));
    const contextFor = createRowContexts(source, options);
    for (const kind of source.kinds)
      await writeKind(database, kind, source, await contextFor(kind, true), inserts);
    database.exec('COMMIT;');
    for (const kind of source.kinds) database.exec(indexes(kind));
    database.exec('VACUUM;');
  } finally {
    database.close();
  }
}

async function writeKind(
  database: DatabaseSync,
  kind: Kind,
  source: HarvestSource,
  context: CsvContext,
  notes: ReadonlyMap<string, Insert>,
): Promise<void> {
  const columns = tableColumns(kind);
  const insert = createTable(database, recordTable(kind, source.kinds));
  const links = linkTables(source.kinds)
    .filter((link) => link.kind === kind)
    .map((link) => ({ rows: link.rows, insert: createTable(database, link) }));
  for await (const records of source.completeRecords(kind)) {
    for (const record of records) {
      insert(recordValues(columns, record, context));
      for (const link of links) for (const row of link.rows(record)) link.insert(row);
      for (const row of footnoteRows(kind, record, context, { both: true })) notes.get('footnotes')?.(row);
      for (const row of fileReadingRows(kind, record)) notes.get('files')?.(row);
    }
  }
}

/** Creates a table; returns the function that inserts a row. An empty cell is NULL. */
function createTable(database: DatabaseSync, { name, sql, columns }: Table): Insert {
  database.exec(sql);
  const statement = database.prepare(`INSERT INTO ${name} VALUES (${'?, '.repeat(columns - 1)}?)`);
  return (values) => {
    statement.run(...values.map((value) => value || null));
  };
}

/** Definition of a table. */
interface Table {
  name: string;
  sql: string;
  columns: number;
}

/** A table with the elements of a list of references. */
interface LinkTable extends Table {
  kind: Kind;
  /** A row for each reference: uuid, uuid, index in the list from 1. */
  rows(record: Fields): string[][];
}

/** The columns of a kind's table: texts in both languages, without lists of uuids, which have link tables. */
function tableColumns(kind: Kind): CsvColumn[] {
  const links = new Set(LINKS.filter((link) => link.kind === kind).map(({ field }) => field));
  return csvColumns(kind, { both: true }).filter(({ name }) => !links.has(name) && name !== 'events');
}

/** The table of a kind's records. */
function recordTable(kind: Kind, kinds: readonly Kind[]): Table {
  const columns = tableColumns(kind);
  const definitions = columns.map((column) => {
    const { name } = column;
    if (name === 'id') return 'id INTEGER PRIMARY KEY';
    if (name === 'uuid') return 'uuid TEXT NOT NULL UNIQUE';
    if (kind === 'event' && name === 'location') return `location TEXT${refersTo('location', kinds)}`;
    if (kind === 'subject' && name === 'parent') return 'parent INTEGER REFERENCES subjects (id)';
    return `"${name}" ${typeOf(column)}`;
  });
  return defineTable(COLLECTIONS[kind], definitions, columns.length);
}

/** The tables that link the records of these kinds. */
function linkTables(kinds: readonly Kind[]): LinkTable[] {
  return LINKS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, field, to, table }) => {
    const [own, other] = kind === to ? [kind, `related_${to}`] : [kind, to];
    const definitions = [
      `${own} TEXT NOT NULL${refersTo(kind, kinds)}`,
      `${other} TEXT NOT NULL${refersTo(to, kinds)}`,
      'place INTEGER NOT NULL',
      `PRIMARY KEY (${own}, place)`,
    ];
    const made = defineTable(table, definitions, 3);
    return {
      ...made,
      kind,
      sql: `${made.sql} CREATE INDEX ${table}_${other} ON ${table} (${other});`,
      rows: (record) =>
        listOf(record[field]).map((value, index) => [
          String(record['uuid']),
          uuidOf(value),
          String(index + 1),
        ]),
    };
  });
}

/** The tables of footnotes and files. */
const NOTE_TABLES: readonly Table[] = [
  plainTable('footnotes', FOOTNOTE_COLUMNS),
  plainTable('files', FILES_COLUMNS),
];

/** The indexes of a kind's table, and its full-text index. */
function indexes(kind: Kind): string {
  const table = COLLECTIONS[kind];
  const texts = tableColumns(kind)
    .map(({ name }) => name)
    .filter((name) => /^(title|name|summary|content|description|\w+_name)(_nl|_en)?$|_names$/.test(name));
  return [
    ...INDEXED[kind].map((column) => `CREATE INDEX ${table}_${column} ON ${table} ("${column}");`),
    `CREATE VIRTUAL TABLE ${table}_fts USING fts5 (${texts.join(', ')}, content="${table}", content_rowid="id", tokenize="unicode61 remove_diacritics 2");`,
    `INSERT INTO ${table}_fts (${table}_fts) VALUES ('rebuild');`,
  ].join('\n');
}

/** The values of a record's row; empty is NULL. */
function recordValues(columns: readonly CsvColumn[], record: Fields, context: CsvContext): (string | null)[] {
  return columns.map((column) => column.cell(record, context) || null);
}

const LINKS: readonly { kind: Kind; field: string; to: Kind; table: string }[] = [
  { kind: 'person', field: 'subjects', to: 'subject', table: 'person_subjects' },
  { kind: 'location', field: 'subjects', to: 'subject', table: 'location_subjects' },
  { kind: 'location', field: 'related_locations', to: 'location', table: 'related_locations' },
  { kind: 'event', field: 'persons', to: 'person', table: 'event_persons' },
  { kind: 'event', field: 'subjects', to: 'subject', table: 'event_subjects' },
];

const INDEXED: Readonly<Record<Kind, readonly string[]>> = {
  person: ['last_name', 'birth_year', 'death_year', 'birth_place', 'death_place'],
  subject: ['name', 'parent'],
  location: ['name', 'city'],
  event: ['date', 'year', 'location'],
};

function plainTable(name: string, columns: readonly PlainColumn[]): Table {
  const definitions = columns.map((column) => `"${column.name}" ${typeOf(column)}`);
  const table = defineTable(name, definitions, columns.length);
  return { ...table, sql: `${table.sql} CREATE INDEX ${name}_record ON ${name} (record_uuid);` };
}

function defineTable(name: string, definitions: readonly string[], columns: number): Table {
  return { name, sql: `CREATE TABLE ${name} (${definitions.join(', ')});`, columns };
}

function typeOf({ type }: PlainColumn): string {
  return type === 'integer' ? 'INTEGER' : type === 'number' ? 'REAL' : 'TEXT';
}

/** A foreign key, if the table of the kind exists. */
function refersTo(kind: Kind, kinds: readonly Kind[]): string {
  return kinds.includes(kind) ? ` REFERENCES ${COLLECTIONS[kind]} (uuid)` : '';
}
