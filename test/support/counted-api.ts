import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from '../../apps/api/dist/app.js';
import { readConfig } from '../../apps/api/dist/config.js';
import { createDerivedFiles } from '../../apps/api/dist/derived/derived-files.js';
import { followEditions } from '../../apps/api/dist/edition/follow-editions.js';
import { createLimitedServer } from '../../apps/api/dist/serve/limited-server.js';
import { BASE_URL } from './api-server.ts';
import { openDatabase } from './database-of.ts';
import { endAtLast } from './leftovers.ts';
import { type Engine, sharedDatabase, type TestDatabase } from './test-database.ts';

/** A server of the fixture archive in this process, which counts its statements. */
export interface CountedApi {
  origin: string;
  database: TestDatabase;
  server: Server;
  /** The SQL of the statements that requests ran, without those that follow the editions. */
  statements: string[];
  /** The same statements, with the values of their placeholders. */
  queries: { sql: string; bindings: readonly unknown[] }[];
  stop(): Promise<void>;
}

/** Options of the server. */
export interface CountedApiOptions {
  engine: Engine;
  /** Size of the response cache in bytes; 0, the default, means no cache. */
  cacheBytes?: number;
  /** Timeouts for sending a request and reading a response; by default those of the program. */
  clientMilliseconds?: number;
  baseUrl?: string;
  mediaFolder?: string;
  /** The database to serve; by default the fixture archive, which is read-only. */
  database?: TestDatabase;
}

/** Serves the fixture archive, or a database, in this process; `stop` also drops the database. */
export async function startCountedApi({
  engine,
  cacheBytes = 0,
  clientMilliseconds,
  baseUrl = BASE_URL,
  mediaFolder,
  database: given,
}: CountedApiOptions): Promise<CountedApi> {
  const database = given ?? (await sharedDatabase('fixture', engine));
  const [following, counted] = [openDatabase(database), openDatabase(database)];
  const statements: string[] = [];
  const queries: CountedApi['queries'] = [];
  counted.on('query', ({ sql, bindings = [] }: CountedApi['queries'][number]) => {
    statements.push(sql);
    queries.push({ sql, bindings });
  });
  const log = pino({ level: 'silent' });
  const derivedFolder = join(database.folder, 'derived');
  const files = createDerivedFiles(following, { derivedFolder });
  const editions = followEditions(following, files, log);
  await editions.start();
  const config = { ...readConfig({ BASE_URL: baseUrl }), cacheBytes, mediaFolder };
  const listener = await createApp({ database: counted, editions, log }, config);
  const server = createLimitedServer(listener, clientMilliseconds).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    forget();
    server.closeAllConnections();
    server.close();
    await editions.stop();
    await Promise.all([following.destroy(), counted.destroy()]);
    await database.drop();
  };
  const forget = endAtLast(stop);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    server,
    statements,
    queries,
    stop,
  };
}
