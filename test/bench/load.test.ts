import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOneUrl } from './load.ts';

const BODY = '{"name":"Orée"}';

/** Sends a body in two parts, split within its only two-byte character. */
let server: Server;
let url: string;

beforeEach(async () => {
  const bytes = Buffer.from(BODY);
  const cut = bytes.indexOf('é') + 1;
  server = createServer(async (_, response) => {
    response.setHeader('Content-Length', bytes.length);
    response.write(bytes.subarray(0, cut));
    await sleep(20);
    response.end(bytes.subarray(cut));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const load = { connections: 1, seconds: 1 };

test('a body with a character split over two parts is right', async () => {
  expect(await loadOneUrl(url, load, { expected: BODY })).toBeGreaterThan(0);
});

test.each([BODY.replace('Or', 'Er'), '{"name":"Oré"}'])(
  'a body that is not %s is wrong',
  async (expected) => {
    await expect(loadOneUrl(url, load, { expected })).rejects.toThrow('mismatches');
  },
);
