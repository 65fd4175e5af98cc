import {
  type CsvColumn,
  type CsvContext,
  csvColumns,
  FILES_COLUMNS,
  type Fields,
  FOOTNOTE_COLUMNS,
  listOf,
  type PlainColumn,
  uuidOf,
} from '@archiefkast/formats/csv';
import { COLLECTIONS, type Kind } from '@archiefkast/types/kinds';

/** A table of the database, and what it is made of. */
export interface Table {
  name: string;
  sql: string;
  columns: number;
}

/** A table that links records of two kinds: the elements of a list. */
export interface LinkTable extends Table {
  kind: Kind;
  /** A row for each record that is referred to: uuid, uuid, place in the list from 1. */
  rows(record: Fields): string[][];
}

/** The columns of a kind's table: texts in both languages; lists of uuids are tables of their own. */
export function tableColumns(kind: Kind): CsvColumn[] {
  const links = new Set(LINKS.filter((link) => link.kind === kind).map(({ field }) => field));
  return csvColumns(kind, { both: true }).filter(({ name }) => !links.has(name) && name !== 'events');
}

/** The table of a kind's records. */
export function recordTable(kind: Kind, kinds: readonly Kind[]): Table {
  const columns = tableColumns(kind);
  const definitions = columns.map((column) => {
    const { name } = column;
    if (name === 'id') return 'id INTEGER PRIMARY KEY';
    if (name === 'uuid') return 'uuid TEXT NOT NULL UNIQUE';
    if (kind === 'event' && name === 'location') return `location TEXT${refersTo('location', kinds)}`;
    if (kind === 'subject' && name === 'parent') return 'parent INTEGER REFERENCES subjects (id)';
    return `"${name}" ${typeOf(column)}`;
  });
  return createTable(COLLECTIONS[kind], definitions, columns.length);
}

/** The tables that link the records of these kinds. */
export function linkTables(kinds: readonly Kind[]): LinkTable[] {
  return LINKS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, field, to, table }) => {
    const [own, other] = kind === to ? [kind, `related_${to}`] : [kind, to];
    const definitions = [
      `${own} TEXT NOT NULL${refersTo(kind, kinds)}`,
      `${other} TEXT NOT NULL${refersTo(to, kinds)}`,
      'place INTEGER NOT NULL',
      `PRIMARY KEY (${own}, place)`,
    ];
    const made = createTable(table, definitions, 3);
    return {
      ...made,
      kind,
      sql: `${made.sql} CREATE INDEX ${table}_${other} ON ${table} (${other});`,
      rows: (record) =>
        listOf(record[field]).map((value, place) => [
          String(record['uuid']),
          uuidOf(value),
          String(place + 1),
        ]),
    };
  });
}

/** The tables of footnotes and files. */
export const NOTE_TABLES: readonly Table[] = [
  plainTable('footnotes', FOOTNOTE_COLUMNS),
  plainTable('files', FILES_COLUMNS),
];

/** The indexes of a kind's table, and its full-text index. */
export function indexes(kind: Kind): string {
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
export function recordValues(
  columns: readonly CsvColumn[],
  record: Fields,
  context: CsvContext,
): (string | null)[] {
  return columns.map((column) => column.cell(record, context) || null);
}

const LINKS: readonly { kind: Kind; field: string; to: Kind; table: string }[] = [
  { kind: 'person', field: 'subjects', to: 'subject', table: 'person_subjects' },
  { kind: 'location', field: 'subjects', to: 'subject', table: 'location_subjects' },
  { kind: 'location', field: 'related_locations', to: 'location', table: 'related_locations' },
  { kind: 'event', field: 'persons', to: 'person', table: 'event_persons' },
];

const INDEXED: Readonly<Record<Kind, readonly string[]>> = {
  person: ['last_name', 'birth_year', 'death_year', 'birth_place', 'death_place'],
  subject: ['name', 'parent'],
  location: ['name', 'city'],
  event: ['date', 'year', 'location'],
};

function plainTable(name: string, columns: readonly PlainColumn[]): Table {
  const definitions = columns.map((column) => `"${column.name}" ${typeOf(column)}`);
  const table = createTable(name, definitions, columns.length);
  return { ...table, sql: `${table.sql} CREATE INDEX ${name}_record ON ${name} (record_uuid);` };
}

function createTable(name: string, definitions: readonly string[], columns: number): Table {
  return { name, sql: `CREATE TABLE ${name} (${definitions.join(', ')});`, columns };
}

function typeOf({ type }: PlainColumn): string {
  return type === 'integer' ? 'INTEGER' : type === 'number' ? 'REAL' : 'TEXT';
}

/** References are declared where there is a table to refer to. */
function refersTo(kind: Kind, kinds: readonly Kind[]): string {
  return kinds.includes(kind) ? ` REFERENCES ${COLLECTIONS[kind]} (uuid)` : '';
}
