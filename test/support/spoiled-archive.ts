import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Kind } from '@archiefkast/types';
import { publishHere } from './api-here.ts';
import { type ApiServer, serveDatabase } from './api-server.ts';
import { writeBundle } from './fixture/fixture-bundle.ts';
import { listen } from './leftovers.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A response before it is sent. */
interface Spoilable {
  url: string;
  /** The `Range` header of the request. */
  range: string | undefined;
  status: number;
  body: string;
  /** The stream to write to, instead of returning a response. */
  response: ServerResponse;
}

/** A replaced status or body; undefined if the response was written already or is unchanged. */
type Spoil = (answer: Spoilable) => { status?: number; body?: string } | 'taken' | undefined;

/** Relays all requests, and spoils some responses. */
interface SpoilingProxy {
  port: number;
  /** The requested paths, in order. */
  requests: string[];
  spoil: Spoil;
  /** The address of the server. */
  target: string;
}

/** A server behind a proxy that can spoil its responses. */
export interface SpoiledArchive {
  database: TestDatabase;
  server: ApiServer;
  proxy: SpoilingProxy;
  /** The address of the proxy, to which the links lead. */
  baseUrl: string;
  /** A temporary folder. */
  folder: string;
}

/** Publishes these lines on SQLite, and serves them through a proxy that initially spoils nothing. */
export async function startSpoiledArchive(
  lines: Readonly<Record<Kind, readonly object[]>>,
): Promise<SpoiledArchive> {
  const folder = await temporaryFolder();
  const database = await createTestDatabase('sqlite');
  const proxy = await startSpoilingProxy();
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  await publishHere(database, await writeBundle(join(folder, 'bundle'), lines));
  const server = await serveDatabase(database, { BASE_URL: baseUrl });
  proxy.target = server.origin;
  return { database, server, proxy, baseUrl, folder };
}

/** Starts a proxy on a free port of the loopback address; the address of the server is set later. */
async function startSpoilingProxy(): Promise<SpoilingProxy> {
  const server = createServer(async (asked, response) => {
    const { url = '', method = 'GET' } = asked;
    const range = asked.headers.range;
    proxy.requests.push(url);
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    for (const name of ['range', 'if-none-match'] as const) {
      const value = asked.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const answer = await fetch(proxy.target + url, { method, headers });
    const body = Buffer.from(await answer.arrayBuffer());
    const spoiled = proxy.spoil({ url, range, status: answer.status, body: body.toString(), response });
    if (spoiled === 'taken') return;
    for (const [name, value] of answer.headers) {
      if (!/^(connection|content-length|transfer-encoding|keep-alive|date)$/.test(name))
        response.setHeader(name, value);
    }
    response.writeHead(spoiled?.status ?? answer.status).end(spoiled?.body ?? body);
  });
  const { port } = await listen(server);
  const proxy: SpoilingProxy = { port, requests: [], spoil: () => undefined, target: '' };
  return proxy;
}
