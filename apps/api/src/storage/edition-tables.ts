import { type Database, isSqlite } from './connect.ts';

/** A table with rows of editions: its primary key begins with `edition`. */
interface EditionTable {
  table: string;
  /** The other columns of its primary key, in order. */
  key: string[];
}

const SQLITE_KEYS = `
  select s.name as \`table\`, c.name as \`column\`
  from sqlite_schema s join pragma_table_info(s.name) c
  where s.type = 'table' and c.pk > 0
  order by s.name, c.pk`;

const MYSQL_KEYS = `
  select table_name as \`table\`, column_name as \`column\`
  from information_schema.statistics
  where table_schema = database() and index_name = 'PRIMARY'
  order by table_name, seq_in_index`;

/** Lists the tables with rows of editions, as the database itself describes them. */
export async function listEditionTables(database: Database): Promise<EditionTable[]> {
  const columns: { table: string; column: string }[] = isSqlite(database)
    ? await database.raw(SQLITE_KEYS)
    : (await database.raw(MYSQL_KEYS))[0];
  const tables: EditionTable[] = [];
  for (const [table, key] of Map.groupBy(columns, (column) => column.table)) {
    const [first, ...others] = key.map(({ column }) => column);
    if (first === 'edition') tables.push({ table, key: others });
  }
  return tables;
}
