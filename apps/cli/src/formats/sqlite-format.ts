import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type CsvContext, fileReadingRows, footnoteRows } from '@archiefkast/formats/csv';
import type { Kind } from '@archiefkast/types';
import type { Format, FormatOptions } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { createRowContexts } from './row-contexts.ts';
import {
  indexes,
  linkTables,
  NOTE_TABLES,
  recordTable,
  recordValues,
  type Table,
  tableColumns,
} from './sqlite-tables.ts';

/** One database with a table for each kind, tables of what links them, indexes and full-text search. */
export const sqliteFormat: Format = {
  name: 'sqlite',
  files: (source, options) => [
    { name: 'archive.sqlite', make: (path) => writeDatabase(path, source, options) },
  ],
};

type Insert = (values: readonly (string | null)[]) => void;

async function writeDatabase(path: string, source: HarvestSource, options: FormatOptions): Promise<void> {
  // What a run that was killed has left would be added to.
  await rm(path, { force: true });
  // References may lead to kinds that were not harvested.
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    // Nothing is lost with a file that is made anew.
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
  for await (const records of source.records(kind)) {
    for (const record of records) {
      insert(recordValues(columns, record, context));
      for (const link of links) for (const row of link.rows(record)) link.insert(row);
      for (const row of footnoteRows(kind, record, context, { both: true })) notes.get('footnotes')?.(row);
      for (const row of fileReadingRows(kind, record)) notes.get('files')?.(row);
    }
  }
}

/** Makes a table; returns what inserts a row. An empty cell is NULL. */
function createTable(database: DatabaseSync, { name, sql, columns }: Table): Insert {
  database.exec(sql);
  const statement = database.prepare(`INSERT INTO ${name} VALUES (${'?, '.repeat(columns - 1)}?)`);
  return (values) => {
    statement.run(...values.map((value) => value || null));
  };
}
