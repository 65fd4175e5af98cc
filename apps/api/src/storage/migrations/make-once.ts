import type { Knex } from 'knex';
import { isSqlite } from '../connect.ts';

/*
 * MySQL and MariaDB commit every change of a table separately, so a killed migration leaves some steps done. Each step
 * therefore checks whether it has been done already.
 */

/** Creates a table if it is missing. Texts compare byte by byte on every engine. */
export async function createTableOnce(
  knex: Knex,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  if (await knex.schema.hasTable(name)) return;
  await knex.schema.createTable(name, (table) => {
    if (!isSqlite(knex)) {
      table.engine('InnoDB');
      table.charset('utf8mb4');
      table.collate('utf8mb4_bin');
    }
    define(table);
  });
}

/** Adds a column if it is missing. */
export async function addColumnOnce(
  knex: Knex,
  table: string,
  column: string,
  define: (table: Knex.AlterTableBuilder) => void,
): Promise<void> {
  if (await knex.schema.hasColumn(table, column)) return;
  await knex.schema.alterTable(table, define);
}

/** Adds a unique index on columns if it is missing. */
export async function makeUniqueOnce(knex: Knex, table: string, columns: readonly string[]): Promise<void> {
  const name = [table, ...columns, 'unique'].join('_');
  await alterUnlessIndexed(knex, table, name, (alter) => alter.unique([...columns], { indexName: name }));
}

/** Adds an index on columns if it is missing. */
export async function makeIndexOnce(knex: Knex, table: string, columns: readonly string[]): Promise<void> {
  const name = [table, ...columns, 'index'].join('_');
  await alterUnlessIndexed(knex, table, name, (alter) => alter.index([...columns], name));
}

async function alterUnlessIndexed(
  knex: Knex,
  table: string,
  name: string,
  alter: (table: Knex.AlterTableBuilder) => void,
): Promise<void> {
  const found = isSqlite(knex)
    ? await knex('sqlite_master').where({ type: 'index', name }).first('name')
    : await knex('information_schema.statistics')
        .where({ table_name: table, index_name: name })
        .whereRaw('table_schema = database()')
        .first('index_name');
  if (!found) await knex.schema.alterTable(table, alter);
}
