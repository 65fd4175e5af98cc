import { rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type Answer, type Candidate, PAGE } from './candidate.ts';

/** Whole value, whole word, word start, inside; shorter values first. `:x` is the value asked for. */
const ORDER = `
  CASE
    WHEN value = :x THEN 0
    WHEN ' ' || value || ' ' LIKE '% ' || :x || ' %' THEN 1
    WHEN ' ' || value LIKE '% ' || :x || '%' THEN 2
    ELSE 3
  END, length(value)`;

/** Statements of a candidate that is a database file of its own. */
interface Statements {
  name: string;
  tables: string;
  /** Inserts `?1`, the row's number, and `?2`, its value. */
  insert: string;
  /** What is done when all rows are in. */
  finish?: string;
  /** Selects `count` for `:x`. */
  count: string;
  /** Selects `doc` for `:x`, best first, all or the first page. */
  first: string;
}

function createCandidate(file: string, statements: Statements): Candidate {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536');
  return {
    name: statements.name,
    async build(values) {
      database.exec(`${statements.tables}; BEGIN`);
      const inserts = statements.insert.split(';').map((sql) => database.prepare(sql));
      for (const [row, value] of values.entries()) for (const insert of inserts) insert.run(row, value);
      database.exec(`${statements.finish ?? ''}; COMMIT; PRAGMA optimize`);
    },
    async answer(wanted): Promise<Answer> {
      const count = Number(database.prepare(statements.count).get({ x: wanted })?.['count']);
      const rows = database.prepare(statements.first).all({ x: wanted });
      return { count, first: rows.map((row) => Number(row['doc'])) };
    },
    async size() {
      return (await stat(file)).size;
    },
    async close() {
      database.close();
      await rm(file);
    },
  };
}

/** Every row's value, scanned with LIKE. */
export function createRowScan(file: string): Candidate {
  return createCandidate(file, {
    name: 'SQLite, LIKE over all rows',
    tables: 'CREATE TABLE entry (doc INTEGER PRIMARY KEY, value TEXT)',
    insert: 'INSERT INTO entry VALUES (?1, ?2)',
    count: "SELECT count(*) AS count FROM entry WHERE value LIKE '%' || :x || '%'",
    first: `SELECT doc FROM entry WHERE value LIKE '%' || :x || '%' ORDER BY ${ORDER}, doc LIMIT ${PAGE}`,
  });
}

/** Distinct values, scanned with LIKE and joined to their rows. */
export function createDictionary(file: string): Candidate {
  const found = "word WHERE value LIKE '%' || :x || '%'";
  return createCandidate(file, {
    name: 'SQLite, dictionary scanned and joined',
    tables: `
      CREATE TABLE entry (doc INTEGER PRIMARY KEY, value TEXT);
      CREATE TABLE word (id INTEGER PRIMARY KEY, value TEXT, entries INTEGER);
      CREATE TABLE posting (word INTEGER, doc INTEGER, PRIMARY KEY (word, doc)) WITHOUT ROWID`,
    insert: 'INSERT INTO entry VALUES (?1, ?2)',
    finish: `
      INSERT INTO word (value, entries) SELECT value, count(*) FROM entry GROUP BY value;
      CREATE INDEX entry_value ON entry (value);
      INSERT INTO posting SELECT word.id, doc FROM word JOIN entry USING (value)`,
    count: `SELECT coalesce(sum(entries), 0) AS count FROM ${found}`,
    first: `
      SELECT doc FROM (SELECT id, value FROM ${found} ORDER BY ${ORDER} LIMIT ${PAGE}) AS word
      JOIN posting ON posting.word = word.id ORDER BY ${ORDER}, doc LIMIT ${PAGE}`,
  });
}

/** FTS5 with the trigram tokenizer, which also answers LIKE; below three letters it scans all rows. */
export function createTrigrams(file: string): Candidate {
  return createCandidate(file, {
    name: 'SQLite, FTS5 trigrams',
    tables: "CREATE VIRTUAL TABLE entry USING fts5 (value, tokenize = 'trigram', detail = 'none')",
    insert: 'INSERT INTO entry (rowid, value) VALUES (?1, ?2)',
    finish: "INSERT INTO entry (entry) VALUES ('optimize')",
    count: "SELECT count(*) AS count FROM entry WHERE value LIKE '%' || :x || '%'",
    first: `SELECT rowid AS doc FROM entry WHERE value LIKE '%' || :x || '%' ORDER BY ${ORDER}, doc LIMIT ${PAGE}`,
  });
}

/** FTS5 over texts, by its own relevance. */
export function createFullText(file: string): Candidate {
  return createCandidate(file, {
    name: 'SQLite, FTS5, its own order',
    tables: "CREATE VIRTUAL TABLE entry USING fts5 (value, content = '', tokenize = 'ascii')",
    insert: 'INSERT INTO entry (rowid, value) VALUES (?1, ?2)',
    finish: "INSERT INTO entry (entry) VALUES ('optimize')",
    count: 'SELECT count(*) AS count FROM entry WHERE entry MATCH :x',
    first: `SELECT rowid AS doc FROM entry WHERE entry MATCH :x ORDER BY rank, doc LIMIT ${PAGE}`,
  });
}
