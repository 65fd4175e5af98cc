import { publishHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import {
  createTestDatabase,
  type Engine,
  sharedDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import type { Lifetime } from './temporary-folder.ts';

/** Serves the sample, which is read-only, until the test ends, at the address of its links. */
export async function serveSample(context: Lifetime): Promise<ApiServer> {
  return serveUntilEnd(context, await sharedDatabase('sample', 'sqlite'));
}

/** Publishes a bundle and serves it, until the test ends, at the address of its links. */
export async function serveBundle(context: Lifetime, engine: Engine, bundle: string): Promise<ApiServer> {
  const database = await createTestDatabase(engine);
  await publishHere(database, bundle);
  return serveUntilEnd(context, database);
}

async function serveUntilEnd(context: Lifetime, database: TestDatabase): Promise<ApiServer> {
  context.onTestFinished(() => database.drop());
  const server = await serveDatabase(database, { BASE_URL: ITSELF });
  context.onTestFinished(() => server.stop());
  return server;
}
