import { fileURLToPath } from 'node:url';
import { publishBundle } from '../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, type Engine } from '../support/test-database.ts';

/** The sample archive. */
export const SAMPLE = fileURLToPath(new URL('../../apps/api/sample', import.meta.url));

/** Publishes a bundle and serves it, until the test ends, at the address that its links carry. */
export async function serveBundle(
  context: { onTestFinished: (end: () => Promise<void>) => unknown },
  engine: Engine,
  bundle: string,
): Promise<ApiServer> {
  const database = await createTestDatabase(engine);
  context.onTestFinished(() => database.drop());
  await publishBundle(database, bundle);
  const port = await freePort();
  const server = await serveDatabase(database, { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
  context.onTestFinished(() => server.stop());
  return server;
}
