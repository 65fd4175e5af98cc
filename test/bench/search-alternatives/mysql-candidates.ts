import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type Answer, type Candidate, PAGE } from './candidate.ts';

const DATABASE = 'archive_search_alternatives';
const ROWS_PER_INSERT = 1_000;

const ORDER = `
  CASE
    WHEN value = :x THEN 0
    WHEN concat(' ', value, ' ') LIKE concat('% ', :x, ' %') THEN 1
    WHEN concat(' ', value) LIKE concat('% ', :x, '%') THEN 2
    ELSE 3
  END, char_length(value)`;

/** Statements of a candidate that is a table of its own. */
interface Statements {
  name: string;
  table: string;
  /** What is done when all rows are in. */
  finish?: string;
  /** The condition on a row, for `:x`. */
  where: string;
  /** The order of hits, for `:x`. */
  order: string;
}

async function createCandidate(url: string, statements: Statements): Promise<Candidate> {
  const server = await createConnection({ uri: url, namedPlaceholders: true });
  await server.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
  await server.query(`CREATE DATABASE ${DATABASE}`);
  await server.query(`USE ${DATABASE}`);
  return {
    name: statements.name,
    async build(values) {
      await server.query(statements.table);
      for (let start = 0; start < values.length; start += ROWS_PER_INSERT) {
        const rows = values.slice(start, start + ROWS_PER_INSERT).map((value, at) => [start + at, value]);
        await server.query('INSERT INTO entry (doc, value) VALUES ?', [rows]);
      }
      if (statements.finish) await server.query(statements.finish);
      await server.query('ANALYZE TABLE entry');
    },
    async answer(wanted): Promise<Answer> {
      const { where, order } = statements;
      const ask = async (sql: string) => (await server.query<RowDataPacket[]>(sql, { x: wanted }))[0];
      const [counted] = await ask(`SELECT count(*) AS count FROM entry WHERE ${where}`);
      const rows = await ask(`SELECT doc FROM entry WHERE ${where} ORDER BY ${order}, doc LIMIT ${PAGE}`);
      return { count: Number(counted?.['count']), first: rows.map((row) => Number(row['doc'])) };
    },
    async size() {
      const [rows] = await server.query<RowDataPacket[]>(
        'SELECT sum(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = ?',
        [DATABASE],
      );
      return Number(rows[0]?.['bytes']);
    },
    async close() {
      await server.query(`DROP DATABASE ${DATABASE}`);
      await server.end();
    },
  };
}

/** Every row's value, scanned with LIKE. */
export function createMysqlRowScan(url: string): Promise<Candidate> {
  return createCandidate(url, {
    name: 'MariaDB, LIKE over all rows',
    table: 'CREATE TABLE entry (doc INT PRIMARY KEY, value VARCHAR(255) COLLATE utf8mb4_bin)',
    where: "value LIKE concat('%', :x, '%')",
    order: ORDER,
  });
}

/** InnoDB's FULLTEXT, by its own relevance. */
export function createMysqlFullText(url: string): Promise<Candidate> {
  return createCandidate(url, {
    name: 'MariaDB, InnoDB FULLTEXT',
    table: 'CREATE TABLE entry (doc INT PRIMARY KEY, value TEXT COLLATE utf8mb4_general_ci)',
    finish: 'CREATE FULLTEXT INDEX entry_value ON entry (value)',
    where: 'MATCH (value) AGAINST (:x)',
    order: 'MATCH (value) AGAINST (:x) DESC',
  });
}
