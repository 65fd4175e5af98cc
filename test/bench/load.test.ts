import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOnceEach, loadOneUrl } from './load.ts';

const BODY = JSON.stringify({ name: 'Orée '.repeat(2000) });
const LENGTH = Buffer.byteLength(BODY);

let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/busy') response.writeHead(503).end(BODY);
    else response.end(url === '/part' ? BODY.slice(1) : BODY);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const load = { connections: 2, seconds: 1 };

test('one URL is requested again and again, and its responses have a length', async () => {
  expect(await loadOneUrl(origin, LENGTH, load)).toMatchObject({
    requests: expect.toSatisfy((count) => count > 0),
  });
  await expect(loadOneUrl(origin, LENGTH + 1000, load)).rejects.toThrow(/0 of \d+ responses are wrong/);
  await expect(loadOneUrl(origin, LENGTH - 5000, load)).rejects.toThrow(`expected ${LENGTH - 5000}`);
  await expect(loadOneUrl(`${origin}/busy`, LENGTH, load)).rejects.toThrow(
    /[1-9]\d* of \d+ responses are wrong/,
  );
});

test('every URL is requested once', async () => {
  const urls = [`${origin}/1`, `${origin}/busy`, `${origin}/3`];
  const walked = await loadOnceEach(urls, 2, { mayRefuse: true });
  expect(walked).toMatchObject({ requests: 3, refused: 1 });
  expect(walked.latencies).toHaveLength(3);
});

test.each(['busy', 'part'])('a response that is %s is wrong', async (path) => {
  await expect(loadOnceEach([`${origin}/${path}`], 1)).rejects.toThrow('no complete response');
});
