import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase } from '../support/test-database.ts';

/** More connections than the system would give to one of two processes by chance. */
const CONNECTIONS = 40;

/** The editions of the responses to requests on new connections. */
async function editionsOf({ fetch }: ApiServer): Promise<Set<string | null>> {
  const headers = { Connection: 'close' };
  const asked = Array.from({ length: CONNECTIONS }, () => fetch('/en/api/persons', { headers }));
  return new Set((await Promise.all(asked)).map((response) => response.headers.get('archive-edition')));
}

async function hasAnswered({ admin }: ApiServer): Promise<boolean> {
  return /^archive_requests_total\{route="\/en\/api\/persons"/m.test(await (await admin('/metrics')).text());
}

async function servedBy({ admin }: ApiServer): Promise<number> {
  return (await (await admin('/ready')).json()).served;
}

test('two processes with REUSE_PORT=on share a port: both answer, both follow a publish, and one goes on alone', async () => {
  const database = await createTestDatabase('sqlite');
  const bundle = await writeFixture(join(database.folder, 'bundle'));
  await publishHere(database, bundle);
  const shared = { PORT: String(await freePort()), REUSE_PORT: 'on' };
  const start = () => serveDatabase(database, shared, { until: '/ready' });
  const [first, second] = [await start(), await start()];
  expect(await editionsOf(first)).toEqual(new Set(['1']));
  expect([await hasAnswered(first), await hasAnswered(second)]).toEqual([true, true]);

  await publishHere(database, bundle);
  const served = () => Promise.all([servedBy(first), servedBy(second)]);
  await expect.poll(served, { timeout: 20_000 }).toEqual([2, 2]);
  expect(await editionsOf(first)).toEqual(new Set(['2']));

  await first.stop();
  expect(await editionsOf(second)).toEqual(new Set(['2']));

  const alone = startProcess(['serve'], settingsFor(database, { PORT: shared.PORT }));
  const { code, stderr } = await alone.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`PORT: ${shared.PORT} on 127.0.0.1 is in use; expected a free port`);
  await second.stop();
  await database.drop();
});
