import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishHere } from './api-here.ts';
import { type Running, type Settings, settingsFor, startProcess, untilAnswer } from './api-process.ts';
import type { DatabasePlace } from './create-database.ts';
import { writeBundle } from './fixture/fixture-bundle.ts';
import { freePort } from './free-port.ts';
import { endAtLast } from './leftovers.ts';
import { readTables } from './read-tables.ts';
import type { SharedBundle } from './shared-archives.ts';
import { createTestDatabase, type Engine, sharedDatabase, type TestDatabase } from './test-database.ts';

/** The root of every link in tests: differs from the server's address, so that a link made from that address shows. */
export const BASE_URL = 'https://archive.test/base';

/** The `BASE_URL` of a server whose links lead to itself. */
export const ITSELF = 'itself';

/** A running server of the archive. */
export interface ApiServer {
  /** The address of the server: `http://127.0.0.1:<port>`. */
  origin: string;
  /** The root of every link. */
  baseUrl: string;
  process: Running;
  /** Requests a path of its admin port. */
  admin(path: string): Promise<Response>;
  /** Requests a path that begins with `/`, or a link from a response. */
  fetch(pathOrLink: string, init?: RequestInit): Promise<Response>;
  /** Stops it, and waits until it has ended. @throws Error if it fails, or its log has a line that is not JSON */
  stop(): Promise<void>;
}

/** A server with its own database. */
export interface TestArchive extends ApiServer {
  engine: Engine;
  database: TestDatabase;
}

/**
 * Serves a database, at the longest until the tests of this file have ended.
 *
 * @param options.args arguments after `serve`
 * @param options.until a path: waits until its response is 200
 */
export async function serveDatabase(
  database: DatabasePlace,
  settings: Settings = {},
  { args = [], until = '/health' }: { args?: readonly string[]; until?: string } = {},
): Promise<ApiServer> {
  const { BASE_URL: wanted = BASE_URL, PORT: port = String(await freePort()) } = settings;
  const origin = `http://127.0.0.1:${port}`;
  const adminPort = String(await freePort());
  const adminOrigin = `http://127.0.0.1:${adminPort}`;
  const baseUrl = wanted === ITSELF ? origin : wanted;
  const own = { ...settings, PORT: port, ADMIN_PORT: adminPort, BASE_URL: baseUrl };
  const running = startProcess(['serve', ...args], settingsFor(database, own));
  await untilAnswer(running, (OF_ADMIN.has(until) ? adminOrigin : origin) + until);
  const server: ApiServer = {
    origin,
    baseUrl,
    process: running,
    admin: (path) => fetch(adminOrigin + path),
    fetch: (pathOrLink, init) => fetch(origin + pathOf(pathOrLink, baseUrl), init),
    async stop() {
      forget();
      running.kill('SIGTERM');
      const { code, signal, stderr } = await running.ended;
      // What --sample publishes has warnings, which are no part of the log.
      const isOfLog = (line: string) => line.startsWith('{') || line.startsWith('warning: ');
      const odd = stderr.split('\n').filter((line) => line !== '' && !isOfLog(line));
      if (code !== 0 || odd.length > 0) {
        throw new Error(`the server ended with ${code ?? signal}, and said ${odd.join(' | ')}:\n${stderr}`);
      }
    },
  };
  const forget = endAtLast(server.stop);
  void running.ended.then(forget);
  return server;
}

/** Publishes a bundle into a new database, and serves it; `stop` also drops the database. */
export async function startApi({
  engine,
  bundle,
  settings = {},
}: {
  engine: Engine;
  bundle: string;
  settings?: Settings;
}): Promise<TestArchive> {
  const database = await createTestDatabase(engine);
  await publishHere(database, bundle);
  return serveArchive(database, settings);
}

/** Serves a bundle that is published once for all tests: its database is read-only. */
export async function startShared(
  bundle: SharedBundle,
  engine: Engine,
  settings: Settings = {},
): Promise<TestArchive> {
  return serveArchive(await sharedDatabase(bundle, engine), settings);
}

async function serveArchive(database: TestDatabase, settings: Settings): Promise<TestArchive> {
  const server = await serveDatabase(database, settings);
  return {
    ...server,
    engine: database.engine,
    database,
    async stop() {
      await server.stop();
      await database.drop();
    },
  };
}

/** Waits until responses of a server are of an edition. */
export async function untilServed({ fetch }: Pick<ApiServer, 'fetch'>, edition: number): Promise<void> {
  const served = async () =>
    (await fetch('/en/api/persons', { method: 'HEAD' })).headers.get('archive-edition');
  while ((await served()) !== String(edition)) await sleep(20);
}

/** Publishes records in this process, and waits until the server of the database, once there is one, serves what was published. */
export async function publishServed(
  database: TestDatabase,
  records: Parameters<typeof writeBundle>[1],
  { server, archive = {}, args = [] }: { server: ApiServer | undefined; archive?: object; args?: string[] },
): Promise<void> {
  const bundle = await writeBundle(join(database.folder, 'bundle'), records);
  const title = { nl: 'Proef', en: 'Test' };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title, ...archive }));
  await publishHere(database, bundle, args);
  const [served] = (await readTables(database)).get('served') ?? [];
  if (server) await untilServed(server, Number(served?.['edition']));
}

/** The paths of the admin port. */
const OF_ADMIN: ReadonlySet<string> = new Set(['/live', '/ready', '/metrics']);

/** The path of a link, or the path itself. */
function pathOf(pathOrLink: string, baseUrl: string): string {
  if (pathOrLink.startsWith('/')) return pathOrLink;
  if (!pathOrLink.startsWith(`${baseUrl}/`)) throw new Error(`${pathOrLink} does not begin with ${baseUrl}`);
  return pathOrLink.slice(baseUrl.length);
}
