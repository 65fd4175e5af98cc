import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminServer } from './admin-server.ts';

let server: Server;
let port: number;
let asked = 0;

beforeAll(async () => {
  server = createAdminServer(() => ({ ready: true, served: 1, editions: [1] }), {
    metrics: async () => `asked ${++asked}\n`,
    contentType: 'text/plain',
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => server.close());

/** Sends bytes on a connection. @returns all data received until it is closed or reset */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data));
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

const get = (path: string, host = 'localhost') => sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

test.each(['/live', '/ready', '/metrics'])('%s responds, and closes the connection', async (path) => {
  const answer = await get(path);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(answer).toContain('X-Content-Type-Options: nosniff');
});

test('a client that pipelines requests is disconnected at the second', async () => {
  const before = asked;
  const answer = await sendRaw('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2_000));
  expect(answer.match(/200 OK/g) ?? []).toHaveLength(0);
  expect(asked).toBe(before + 1);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
  const answer = await sendRaw(`${method} /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toContain('Allow: GET, HEAD');
});

test.each(['evil.test', 'evil.test:9090', '127.0.0.1.evil.test'])(
  'a request for the public host %s is refused',
  async (host) => {
    const answer = await get('/metrics', host);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).not.toContain('asked');
  },
);

test.each(['localhost:1', '127.0.0.1:9090', '[::1]:9090', 'node-1', '', 'admin.localhost'])(
  'Host: %s is allowed',
  async (host) => {
    expect(await get('/live', host)).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test.each([
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
  '\x16\x03\x01\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
])('an invalid request closes only its own connection', async (bytes) => {
  expect(await sendRaw(bytes)).not.toContain('200 OK');
  expect(await get('/live')).toContain('200 OK');
});
