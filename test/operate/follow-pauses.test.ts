import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Settings, settingsFor, startProcess } from '../support/api-process.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { endAtLast } from '../support/leftovers.ts';
import { createTestDatabase } from '../support/test-database.ts';

/** Starts a server that gives every request the same response; returns its port, and the times of the requests for manifests. */
async function startServer(respond: (response: ServerResponse) => void) {
  const times: number[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('manifest.json')) times.push(performance.now());
    respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endAtLast(async () => void server.close().closeAllConnections());
  return { times, port: (server.address() as AddressInfo).port };
}

async function startFollow(address: string, args: readonly string[], more: Settings = {}) {
  const database = await createTestDatabase('sqlite');
  const settings = settingsFor(database, { FOLLOW_DIR: join(database.folder, 'follow'), ...more });
  const running = startProcess(['follow', address, ...args], settings);
  endAtLast(async () => {
    running.kill('SIGTERM');
    await running.ended;
  });
  return running;
}

/** The seconds between requests, once there are as many. */
async function pausesOf(times: readonly number[], count: number): Promise<number[]> {
  // Not `expect.poll`, which knows no test while others run beside it.
  await vi.waitUntil(() => times.length > count, { timeout: 80_000, interval: 50 });
  return times.slice(1, count + 1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
}

test.concurrent('pauses after faults grow', { timeout: 90_000 }, async () => {
  const { times, port } = await startServer((response) => response.writeHead(404).end());
  await startFollow(`http://127.0.0.1:${port}`, ['--every', '1m']);
  const [first = 0, second = 0] = await pausesOf(times, 2);
  expect(first).toBeGreaterThan(4.9);
  expect(first).toBeLessThan(9.9);
  expect(second).toBeGreaterThan(9.9);
  expect(second).toBeLessThan(30);
});

test.concurrent('a pause is as long as Retry-After, also when that is longer than --every', {
  timeout: 90_000,
}, async () => {
  const { times, port } = await startServer((response) =>
    response.writeHead(503, { 'retry-after': '7' }).end(),
  );
  const running = await startFollow(`http://127.0.0.1:${port}`, ['--every', '1s']);
  await running.said(/the server asks to wait 7 s, longer than the 1 s allowed/);
  const [pause = 0] = await pausesOf(times, 1);
  expect(pause).toBeGreaterThan(6.9);
  expect(pause).toBeLessThan(30);
});

test.concurrent('a run ends with the exit code of a harvest when the server asks for a longer wait', {
  timeout: 90_000,
}, async () => {
  const { port } = await startServer((response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  const running = await startFollow(`http://127.0.0.1:${port}`, ['--once']);
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('asks to wait 3600 s') });
});

test.concurrent('the proxy of HTTP_PROXY is used, and an invalid one refused', {
  timeout: 90_000,
}, async () => {
  const { times, port } = await startServer((response) => response.writeHead(404).end());
  const proxy = await startForwardProxy(port);
  const through = await startFollow('http://archive.invalid', ['--once'], { HTTP_PROXY: proxy.url });
  const { code, stderr } = await through.ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('http://archive.invalid has no manifest'),
  });
  expect(times).toHaveLength(1);
  expect(proxy.tunnels.map(({ target }) => target)).toEqual(['archive.invalid:80']);
  const wrong = await startFollow('http://archive.invalid', ['--once'], { HTTP_PROXY: 'proxy' });
  expect((await wrong.ended).stderr).toContain('HTTP_PROXY: expected the address of a proxy');
});
