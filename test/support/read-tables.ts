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

/** The parts of the id of a text: 2⁴⁰ numbers of versions for each text kind and language. */
export const VERSIONS = 2 ** 40;

/** A hash of what the tables have of an edition, but for its number, those of versions, and the times of changes. */
export function hashEdition(tables: ReadonlyMap<string, Row[]>, id: number): string {
  const rowsOf = (name: string) => tables.get(name) ?? [];
  const entries = rowsOf('entries').filter(({ edition }) => edition === id);
  const versions = new Map(rowsOf('versions').map((row) => [row['version'], row]));
  const texts = Map.groupBy(rowsOf('texts'), (row) => Number(row['id']) % VERSIONS);
  const embeds = Map.groupBy(rowsOf('embeds'), ({ version }) => version);
  const uuids = new Map([...versions.values()].map(({ record, uuid }) => [record, uuid]));
  const records = entries.map(({ kind, position, version }) => {
    const { uuid, id: number, digest } = versions.get(version) ?? {};
    const own = texts
      .get(Number(version))
      ?.map((row) => [Math.floor(Number(row['id']) / VERSIONS), row['text']]);
    const others = embeds
      .get(version)
      ?.map(({ text_kind, ordinal, record }) => [text_kind, ordinal, uuids.get(record)]);
    return JSON.stringify([kind, position, uuid, number, digest, own?.toSorted(), others?.toSorted()]);
  });
  const blocks = rowsOf('blocks')
    .filter(({ edition }) => edition === id)
    .map((row) => JSON.stringify({ ...row, edition: 0 }));
  return createHash('sha256')
    .update([...records, ...blocks].toSorted().join('\n'))
    .digest('hex');
}

/** The rows of versions that no edition has, and of editions that do not exist, by table. */
export function orphansIn(tables: ReadonlyMap<string, Row[]>): Record<string, Row[]> {
  const rowsOf = (name: string) => tables.get(name) ?? [];
  const editions = new Set(rowsOf('editions').map(({ id }) => id));
  const used = new Set(rowsOf('entries').map(({ version }) => Number(version)));
  const orphans = {
    entries: rowsOf('entries').filter(({ edition }) => !editions.has(edition)),
    blocks: rowsOf('blocks').filter(({ edition }) => !editions.has(edition)),
    changes: rowsOf('changes').filter(({ edition }) => !editions.has(edition)),
    versions: rowsOf('versions').filter(({ version }) => !used.has(Number(version))),
    embeds: rowsOf('embeds').filter(({ version }) => !used.has(Number(version))),
    texts: rowsOf('texts').filter((row) => !used.has(Number(row['id']) % VERSIONS)),
  };
  return Object.fromEntries(Object.entries(orphans).filter(([, rows]) => rows.length > 0));
}
