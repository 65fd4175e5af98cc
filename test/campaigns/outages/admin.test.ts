import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/programs.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

/** For what takes longer on a busy machine. */
const PATIENT = { timeout: 60_000 };

describeEngines('the admin port (%s)', (engine) => {
  let database: TestDatabase;
  let server: ApiServer;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(join(database.folder, 'bundle')));
    server = await serveDatabase(database, {}, { until: '/ready' });
  });
  afterEach(() => server?.stop());
  const ready = async () => (await server.admin('/ready')).json();

  test('lists a held edition as soon as it is ready to be served', async () => {
    await publishBundle(database, join(database.folder, 'bundle'), ['--hold']);
    await expect.poll(ready, PATIENT).toEqual({ ready: true, served: 1, editions: [2, 1] });
    expect((await runApi(['switch', '2'], settingsFor(database))).code).toBe(0);
    await expect.poll(ready, PATIENT).toMatchObject({ served: 2 });
  });

  test('publish --await serves the edition once every node is ready, and holds it after a timeout', async () => {
    const adminUrl = new URL((await server.admin('/live')).url).origin;
    const bundle = join(database.folder, 'bundle');
    const published = await publishBundle(database, bundle, ['--await', adminUrl]);
    expect(published.stderr).toContain('Waiting for 1 node to be ready for edition 2.');
    expect(published.stdout).toContain('Published edition 2');
    await expect.poll(ready, PATIENT).toMatchObject({ served: 2 });

    const nobody = `http://127.0.0.1:${await freePort()}`;
    const args = ['publish', bundle, '--force', '--await', `${adminUrl}, ${nobody}`, '--timeout', '1s'];
    const { code, stderr } = await runApi(args, settingsFor(database));
    expect(code).toBe(1);
    expect(stderr).toMatch(/edition 3 is held: not every node was ready for it within 1 s/);
    expect(stderr).toMatch(new RegExp(`  ${nobody}/ready: connect ECONNREFUSED`));
    expect(stderr).toContain('To serve it anyway, run archive-api switch 3');
    expect(await ready()).toMatchObject({ served: 2 });
    expect((await runApi(['editions'], settingsFor(database))).stdout).toMatch(/edition 3 .*held/);
  });
});

describe('starting (mysql)', needs('database-server'), () => {
  const engine = 'mysql';
  test('waits for the database, responds with 503 meanwhile', async () => {
    const database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(join(database.folder, 'bundle')));
    const url = new URL(database.url);
    const proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    proxy.hang();
    const server = await serveDatabase({ ...database, url: url.href }, {}, { until: '/live' });
    const early = await server.fetch('/en/api/persons');
    expect(early.status).toBe(503);
    expect(await early.json()).toMatchObject({ type: expect.stringContaining('/problems/starting') });
    expect((await server.fetch('/health')).status).toBe(503);
    expect(await (await server.admin('/ready')).json()).toMatchObject({ ready: false });
    proxy.heal();
    await expect.poll(async () => (await server.fetch('/health')).status, PATIENT).toBe(200);
    expect((await server.fetch('/en/api/persons')).status).toBe(200);
  });
});

test('a replaced SQLite file is detected, and served', async () => {
  const [database, other] = [await createTestDatabase('sqlite'), await createTestDatabase('sqlite')];
  await publishBundle(database, await writeFixture(join(database.folder, 'bundle')));
  await publishBundle(other, await writeFixture(join(other.folder, 'bundle')));
  await publishBundle(other, join(other.folder, 'bundle'));
  const server = await serveDatabase(database);
  await rename(other.url.slice('sqlite:'.length), database.url.slice('sqlite:'.length));
  await untilServed(server, 2);
});
