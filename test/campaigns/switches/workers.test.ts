import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { childrenOf } from '../../support/memory.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const WORKERS = 3;

/** A response: its edition, and the times of request and response. */
interface Answered {
  edition: string | null;
  asked: number;
  had: number;
}

describeEngines('workers (%s)', (engine) => {
  let database: TestDatabase;
  let server: ApiServer;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const bundle = await writeFixture(join(database.folder, 'bundle'));
    await publishBundle(database, bundle);
    await publishBundle(database, bundle);
    server = await serveDatabase(database, {}, { args: ['--workers', String(WORKERS)], until: '/ready' });
  });

  const ask = async (): Promise<Answered> => {
    const asked = performance.now();
    const response = await server.fetch('/en/api/persons', {
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(8_000),
    });
    await response.text();
    return { edition: response.headers.get('archive-edition'), asked, had: performance.now() };
  };

  test('switch to another edition at the same time', async () => {
    const spells: number[] = [];
    for (const to of ['1', '2', '1', '2', '1']) {
      const answers: Answered[] = [];
      let done = false;
      const asking = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!done) answers.push(await ask());
        }),
      );
      expect((await runApi(['switch', to], settingsFor(database))).code).toBe(0);
      while (answers.at(-1)?.edition !== to) await sleep(5);
      await sleep(300);
      done = true;
      await asking;
      const firstNew = Math.min(...answers.filter(({ edition }) => edition === to).map(({ had }) => had));
      const lastOld = Math.max(...answers.filter(({ edition }) => edition !== to).map(({ asked }) => asked));
      spells.push(Math.max(0, lastOld - firstNew));
    }
    const [, , median = Number.NaN] = spells.toSorted((a, b) => a - b);
    expect(median).toBeLessThan(250);
  });

  test('that are all killed together leave no connection without a response', async () => {
    const pids = childrenOf(server.process.pid);
    expect(pids).toHaveLength(WORKERS);
    let done = false;
    const slowest: number[] = [];
    const asking = Promise.all(
      Array.from({ length: 20 }, async () => {
        while (!done) {
          const started = performance.now();
          // An error is expected at once, not a timeout.
          await ask().catch((error) => {
            if (error.name === 'TimeoutError') throw error;
          });
          slowest.push(performance.now() - started);
          await sleep(2);
        }
      }),
    );
    await sleep(200);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const others = () => childrenOf(server.process.pid).filter((pid) => !pids.includes(pid));
    await expect.poll(others, { timeout: 20_000 }).toHaveLength(WORKERS);
    await expect.poll(async () => (await server.admin('/ready')).status, { timeout: 20_000 }).toBe(200);
    await sleep(500);
    done = true;
    await asking;
    expect((await ask()).edition).toBe('1');
    expect(Math.max(...slowest)).toBeLessThan(8_000);
  });
});
