import { join } from 'node:path';
import type { Kind } from '@archiefkast/types';
import { publishHere } from './api-here.ts';
import { type ApiServer, serveDatabase } from './api-server.ts';
import { writeBundle } from './fixture/fixture-bundle.ts';
import { type SpoilingProxy, startSpoilingProxy } from './spoiling-proxy.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

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
