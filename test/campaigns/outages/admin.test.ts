import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, type Running, runApi, settingsFor, startProcess } from '../../support/api-process.ts';
import { untilServed } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/programs.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

/** A server and its ports. */
interface Asked {
  running: Running;
  fetch(path: string): Promise<Response>;
  admin(path: string): Promise<Response>;
}

async function start(database: TestDatabase): Promise<Asked> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  return {
    running: startProcess(['serve'], settingsFor(database, ports)),
    fetch: (path) => fetch(`http://127.0.0.1:${port}${path}`),
    admin: (path) => fetch(`http://127.0.0.1:${adminPort}${path}`),
  };
}

/** Repeats a request until it gets the expected response. */
async function until<Result>(
  ask: () => Promise<Result>,
  isWanted: (result: Result) => boolean,
): Promise<Result> {
  for (;;) {
    const result = await ask().catch(() => undefined);
    if (result !== undefined && isWanted(result)) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describeEngines('the admin port (%s)', (engine) => {
  let database: TestDatabase;
  let server: Asked | undefined;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(join(database.folder, 'bundle')));
  });
  afterEach(async () => {
    server?.running.kill('SIGKILL');
    await server?.running.ended;
    server = undefined;
    await database?.drop();
  });

  test('lists a held edition as soon as it is ready to be served', async () => {
    server = await start(database);
    const { admin } = server;
    await until(
      () => admin('/ready'),
      ({ status }) => status === 200,
    );
    await publishBundle(database, join(database.folder, 'bundle'), ['--force', '--hold']);
    const ready = await until(
      async () => (await admin('/ready')).json(),
      ({ editions }: { editions: number[] }) => editions.includes(2),
    );
    expect(ready).toEqual({ ready: true, served: 1, editions: [2, 1] });
    expect((await runApi(['switch', '2'], settingsFor(database))).code).toBe(0);
    await until(
      async () => (await admin('/ready')).json(),
      ({ served }: { served: number }) => served === 2,
    );
  });

  test('publish --await serves the edition once every node is ready, and holds it after a timeout', async () => {
    server = await start(database);
    await until(
      () => server?.admin('/ready') ?? Promise.reject(),
      ({ status }) => status === 200,
    );
    const adminUrl = new URL((await server.admin('/live')).url).origin;
    const bundle = join(database.folder, 'bundle');
    const published = await publishBundle(database, bundle, ['--force', '--await', adminUrl]);
    expect(published.stderr).toContain('Waiting for 1 node to be ready for edition 2.');
    expect(published.stdout).toContain('Published edition 2');
    await until(
      async () => (await server?.admin('/ready'))?.json(),
      (state?: { served: number }) => state?.served === 2,
    );

    const nobody = `http://127.0.0.1:${await freePort()}`;
    const args = ['publish', bundle, '--force', '--await', `${adminUrl}, ${nobody}`, '--timeout', '1s'];
    const { code, stderr } = await runApi(args, settingsFor(database));
    expect(code).toBe(1);
    expect(stderr).toMatch(/edition 3 is held: not every node was ready for it within 1 s/);
    expect(stderr).toMatch(new RegExp(`  ${nobody}/ready: connect ECONNREFUSED`));
    expect(stderr).toContain('To serve it anyway, run archive-api switch 3');
    expect(await (await server.admin('/ready')).json()).toMatchObject({ served: 2 });
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
    const through = { ...database, url: url.href };
    const server = await start(through);
    const early = await until(
      () => server.fetch('/en/api/persons'),
      () => true,
    );
    expect(early.status).toBe(503);
    expect(await early.json()).toMatchObject({ type: expect.stringContaining('/problems/starting') });
    expect((await server.fetch('/health')).status).toBe(503);
    expect(await (await server.admin('/ready')).json()).toMatchObject({ ready: false });
    proxy.heal();
    await until(
      () => server.fetch('/health'),
      ({ status }) => status === 200,
    );
    expect((await server.fetch('/en/api/persons')).status).toBe(200);
    server.running.kill('SIGTERM');
    expect((await server.running.ended).code).toBe(0);
    await proxy.stop();
    await database.drop();
  });
});

test('a replaced SQLite file is detected, and served', async () => {
  const [database, other] = [await createTestDatabase('sqlite'), await createTestDatabase('sqlite')];
  await publishBundle(database, await writeFixture(join(database.folder, 'bundle')));
  await publishBundle(other, await writeFixture(join(other.folder, 'bundle')));
  await publishBundle(other, join(other.folder, 'bundle'));
  const server = await start(database);
  await until(
    () => server.fetch('/health'),
    ({ status }) => status === 200,
  );
  await rename(other.url.slice('sqlite:'.length), database.url.slice('sqlite:'.length));
  await untilServed(server, 2);
  server.running.kill('SIGTERM');
  expect((await server.running.ended).code).toBe(0);
  await Promise.all([database.drop(), other.drop()]);
});
