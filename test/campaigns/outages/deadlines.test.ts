import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { callOf, sendCall } from '../../support/ask-archive.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { needs } from '../../support/programs.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** The time limit of a response, with any failure of the database: a second, and a margin for a busy machine. */
const SOON_MILLISECONDS = 4_000;

/** The time limit for ending: two seconds, and a margin for a busy machine; much less than `STOP_SECONDS`. */
const END_MILLISECONDS = 7_000;

describe('a server whose database fails (mysql)', needs('database-server'), () => {
  const engine = 'mysql';
  let database: TestDatabase;
  let proxy: TcpProxy;
  let server: ApiServer;
  const hot = '/en/api/persons';
  const cold = (number: number) => `/en/api/persons/${uuidOf('person', number)}`;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(`${database.folder}/bundle`));
    const url = new URL(database.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = '127.0.0.1';
    server = await serveDatabase({ ...database, url: url.href }, { DATABASE_SECONDS: '1' });
    expect((await server.fetch(hot)).status).toBe(200);
  });
  afterEach(async () => {
    server?.process.kill('SIGKILL');
    await server?.process.ended;
    await proxy?.stop();
  });

  const timed = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const started = performance.now();
    return [await work(), performance.now() - started];
  };

  test('while the database hangs: 503 in time, cached responses succeed, and the server ends on a signal', async () => {
    proxy.hang();
    const [answers, milliseconds] = await timed(() =>
      Promise.all(Array.from({ length: 60 }, (_, index) => server.fetch(cold(index + 1000)))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(milliseconds).toBeLessThan(SOON_MILLISECONDS);
    const [first] = answers;
    expect(Number(first?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await first?.json()).toMatchObject({
      type: `${server.baseUrl}/problems/database-unavailable`,
      status: 503,
    });
    expect((await server.fetch(hot)).status).toBe(200);
    const asked = await sendCall(server.origin, callOf('search_archive', { page: 3 }));
    expect([asked.status, (await asked.json()).type]).toEqual([
      503,
      `${server.baseUrl}/problems/database-unavailable`,
    ]);

    server.process.kill('SIGTERM');
    const [{ code }, stopping] = await timed(() => server.process.ended);
    expect(code).toBe(0);
    expect(stopping).toBeLessThan(END_MILLISECONDS);
  });

  test('cut idle connections cause no errors', async () => {
    for (let round = 0; round < 5; round += 1) {
      if (round % 2) proxy.cut();
      else proxy.cutAtRequest();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => server.fetch(cold(index + 101))),
      );
      for (const { status } of answers) expect([200, 404]).toContain(status);
    }
  });

  test('when it works again, so do all requests', async () => {
    proxy.hang();
    expect((await server.fetch(cold(1000))).status).toBe(503);
    proxy.heal();
    await expect.poll(async () => (await server.fetch(cold(101))).status, { timeout: 10_000 }).toBe(200);
  });
});
