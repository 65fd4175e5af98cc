import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type Ended, type Running, type Settings, startProcess } from '../support/api-process.ts';
import { createDatabase, type Engine, type TestDatabase } from '../support/create-database.ts';
import { freePort } from '../support/free-port.ts';
import { endAtLast } from '../support/leftovers.ts';
import { type Ask, both, createAsk, type Pair } from './ask.ts';

/** A built checkout with its own database. */
export interface Build {
  checkout: string;
  database: TestDatabase;
  settings: Settings;
}

/** A server of a build. */
export interface Server {
  port: number;
  ask: Ask;
  stop(): Promise<Ended>;
}

export async function createBuild(
  checkout: string,
  engine: Engine,
  mysql: string | null,
  settings: Settings,
): Promise<Build> {
  const database = await createDatabase(engine, mysql);
  endAtLast(database.drop);
  const own = { DATABASE_URL: database.url, DERIVED_DIR: join(database.folder, 'derived') };
  return { checkout, database, settings: { ...own, ...settings } };
}

/** Runs archive-api or archive-cli of a build until it ends. */
export function runProgram(
  build: Build,
  program: string,
  args: readonly string[],
  more: Settings = {},
): Promise<Ended> {
  return start(build, program, args, more).ended;
}

function start(
  { checkout, settings }: Build,
  program: string,
  args: readonly string[],
  more: Settings,
): Running {
  const file = join(checkout, `apps/${program.replace('archive-', '')}/bin/${program}.js`);
  return startProcess(args, { ...settings, ...more }, [], file);
}

/** Serves what a build published, and waits until its search index is open. */
export async function serve(build: Build): Promise<Server> {
  const port = await freePort();
  const running = start(build, 'archive-api', ['serve'], { PORT: String(port) });
  await running.said(/"msg":"listening"/);
  const ask = createAsk(port);
  while ((await ask({ method: 'GET', path: '/health' })).headers.get('status') !== '200') await sleep(50);
  const stop = () => {
    running.kill('SIGTERM');
    return running.ended;
  };
  return { port, ask, stop };
}

/** Key and time of each edition, by its number. */
type Editions = ReadonlyMap<number, { key: string; published_at: string }>;

/** The editions that servers name, and those that are held, by the keys that `publish --hold` printed. */
async function readEditions({ ask }: Server, held: string | undefined): Promise<Editions> {
  const get = async (path: string) => JSON.parse((await ask({ method: 'GET', path })).body.toString());
  const { editions } = await get('/en/api/editions');
  if (held !== undefined) editions.push((await get(`/en/api?edition=${held}`)).edition);
  return new Map(editions.map((each: { id: number; key: string; published_at: string }) => [each.id, each]));
}

/**
 * Gives the editions of this build the keys and times of those of the other one, in every column of its database and in the
 * names of its derived files, so that responses, and ETags, need no normalising.
 *
 * @param held the keys of the held editions
 */
export async function alignEditions(builds: Pair<Build>, held: Pair<string> | undefined): Promise<void> {
  const servers = await both(serve, builds);
  const [before, now] = await both((server, side) => readEditions(server, held?.[side]), servers);
  await both(({ stop }) => stop(), servers);
  const changes: [from: string, to: string][] = [];
  for (const [id, { key, published_at }] of now) {
    const other = before.get(id);
    if (other) changes.push([key, other.key], [published_at, other.published_at]);
  }
  await replaceValues(builds[1].database, changes);
  await renameFiles(builds[1].settings['DERIVED_DIR'] ?? '', changes);
}

/** Replaces values, whichever columns have them; times may be numbers. */
async function replaceValues(
  { engine, url }: TestDatabase,
  changes: readonly [string, string][],
): Promise<void> {
  const moments = changes
    .filter(([from]) => from.endsWith('Z'))
    .map((pair) => pair.map((time) => Date.parse(time)));
  const updateOf = (table: string, column: string) =>
    `update \`${table}\` set \`${column}\` = ? where \`${column}\` = ?`;
  if (engine === 'sqlite') {
    using database = new DatabaseSync(url.replace('sqlite:', ''));
    const columns = database
      .prepare(
        "select m.name as tab, c.name as col from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.type like '%char%'",
      )
      .all();
    for (const { tab, col } of columns) {
      const update = database.prepare(updateOf(String(tab), String(col)));
      for (const [from, to] of changes) update.run(to, from);
    }
    const times = database.prepare(updateOf('entries', 'changed_at'));
    for (const [from = 0, to = 0] of moments) times.run(to, from);
    return;
  }
  const connection = await createConnection({ uri: url });
  const [columns] = await connection.query<RowDataPacket[]>(
    "select table_name as tab, column_name as col from information_schema.columns where table_schema = database() and data_type in ('char', 'varchar')",
  );
  for (const { tab, col } of columns) {
    for (const [from, to] of changes) await connection.query(updateOf(tab, col), [to, from]);
  }
  for (const [from, to] of moments) await connection.query(updateOf('entries', 'changed_at'), [to, from]);
  await connection.end();
}

async function renameFiles(folder: string, changes: readonly [string, string][]): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries) {
    const change = changes.find(([from]) => name.includes(from));
    if (change) await rename(join(parentPath, name), join(parentPath, name.replace(...change)));
  }
}
