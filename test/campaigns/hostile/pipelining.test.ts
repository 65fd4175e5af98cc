import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { settingsFor, startProcess, untilAnswer } from '../../support/api-process.ts';
import { makeBundle } from '../../support/bundles.ts';
import { freePort } from '../../support/free-port.ts';
import { residentMemory } from '../../support/memory.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { askAndReadNothing, LARGE_PAGE } from './attacks.ts';

/** Number of connections that send requests and do not read, and their duration. */
const CONNECTIONS = 400;
const ATTACK_MILLISECONDS = 6_000;
const HEALTH_MILLISECONDS = 3_000;

/** Memory limit of the server above its idle memory, in MB. */
const MOST_MEGABYTES = 200;

describeEngines('connections that send many requests and read nothing (%s)', (engine) => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-pipelining-'));
    database = await createTestDatabase(engine);
    // A page of the events of a location with sixty events has two megabytes.
    await publishHere(database, await makeBundle(folder, { records: 2_000, seed: 3, busyPlace: 60 }));
  });
  afterAll(async () => {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([['1'], ['2']])('take little memory and time from %s workers', async (workers) => {
    const port = await freePort();
    const server = startProcess(
      ['serve', '--workers', workers],
      settingsFor(database, { PORT: String(port) }),
    );
    const origin = `http://127.0.0.1:${port}`;
    await untilAnswer(server, `${origin}/health`);
    const ask = async (path: string) => {
      const started = performance.now();
      const response = await fetch(origin + path);
      const bytes = (await response.bytes()).length;
      return { status: response.status, bytes, milliseconds: performance.now() - started };
    };
    for (let round = 0; round < 20; round += 1) await ask(LARGE_PAGE);
    expect((await ask(LARGE_PAGE)).bytes).toBeGreaterThan(1_000_000);
    await sleep(500);
    const idle = residentMemory(server.pid);

    const sockets = Array.from({ length: CONNECTIONS }, () => askAndReadNothing(port));
    let [most, slowest, pages] = [0, 0, 0];
    for (const end = performance.now() + ATTACK_MILLISECONDS; performance.now() < end; await sleep(100)) {
      const health = await ask('/health');
      const page = await ask(`/en/api/persons?page=${(pages % 70) + 1}`);
      expect([health.status, page.status]).toEqual([200, 200]);
      slowest = Math.max(slowest, health.milliseconds);
      most = Math.max(most, residentMemory(server.pid));
      pages += 1;
    }
    for (const socket of sockets) socket.destroy();
    await sleep(3_000);
    const after = residentMemory(server.pid);
    server.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);

    const facts = { idle, most, after, slowest: Math.round(slowest), pages };
    process.stdout.write(`pipelining, ${engine}, ${workers} workers: ${JSON.stringify(facts)}\n`);
    expect(most - idle).toBeLessThanOrEqual(MOST_MEGABYTES);
    expect(after - idle).toBeLessThanOrEqual(MOST_MEGABYTES / 2);
    expect(slowest).toBeLessThanOrEqual(HEALTH_MILLISECONDS);
    expect(pages).toBeGreaterThan(20);
  });
});
