import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import type { DatabasePlace } from './create-database.ts';

/** A row, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads every row of every table that the database itself lists, over a connection without the program. */
export async function readTables(place: DatabasePlace): Promise<Map<string, Row[]>> {
  return place.engine === 'sqlite'
    ? readSqlite(place.url.slice('sqlite:'.length))
    : await readMysql(place.url);
}

function readSqlite(file: string): Map<string, Row[]> {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Map(tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM "${name}"`).all()]));
}

async function readMysql(uri: string): Promise<Map<string, Row[]>> {
  const connection = await createConnection({ uri, dateStrings: true });
  try {
    const [tables] = await connection.query(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database()',
    );
    const found = new Map<string, Row[]>();
    for (const { name } of tables as { name: string }[]) {
      const [rows] = await connection.query('SELECT * FROM ??', [name]);
      found.set(name, rows as Row[]);
    }
    return found;
  } finally {
    await connection.end();
  }
}

/** A hash of what the tables have of an edition, but for its number and the times of changes. */
export function hashEdition(tables: ReadonlyMap<string, Row[]>, id: number): string {
  const hash = createHash('sha256');
  for (const name of ['records', 'texts', 'links', 'blocks']) {
    const rows = (tables.get(name) ?? []).filter(({ edition }) => edition === id);
    const lines = rows.map((row) =>
      JSON.stringify({ ...row, edition: 0, changed_at: null }, (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
      ),
    );
    hash.update(`${name}\n${lines.toSorted().join('\n')}\n`);
  }
  return hash.digest('hex');
}
