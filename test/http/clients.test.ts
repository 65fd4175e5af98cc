import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { send } from '../support/send.ts';

/** Timeouts for clients in these tests, in milliseconds. */
const PATIENCE = 400;

describe('slow, large and invalid requests', () => {
  let api: CountedApi;
  beforeAll(async () => {
    api = await startCountedApi({ engine: 'sqlite', clientMilliseconds: PATIENCE });
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const sendRaw = async (bytes: string) => {
    const socket = await open();
    socket.write(bytes);
    const answer = await text(socket);
    const [head = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase() };
  };
  test('the longest q fits into a URL, percent-encoded', async () => {
    const q = encodeURIComponent('€'.repeat(1_000));
    expect((await send(`${api.origin}/en/api/search?q=${q}`)).status).toBe(400);
  });

  test('headers that are too large are rejected', async () => {
    const answer = await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(60_000)}\r\n\r\n`);
    expect(answer.status).toBe(431);
  });

  test('invalid HTTP is rejected', async () => {
    const answer = await sendRaw('HELLO\r\n\r\n');
    expect(answer.status).toBe(400);
  });

  test('the connection of an incomplete request is cut', async () => {
    const answer = await sendRaw('GET /en/api/persons HTTP/1.1\r\nHost: a\r\n');
    expect(answer.status).toBe(408);
  });

  test('the connection of a request with dripping headers is cut', async () => {
    const socket = await open();
    socket.write('GET /en/api/persons HTTP/1.1\r\nHost: a\r\n');
    const dripping = setInterval(() => socket.write('X-Drip: 1\r\n'), PATIENCE / 8);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(dripping);
  });

  test('a client that does not read its response is cut; one that reads is not', async () => {
    const slow = await open();
    slow.pause();
    // Larger than the socket buffers.
    const request = 'GET /en/api/events HTTP/1.1\r\nHost: a\r\n\r\n';
    const cut = new Promise<void>((resolve) => {
      slow.once('close', () => resolve()).once('error', () => resolve());
    });
    const writing = setInterval(() => slow.write(request.repeat(50)), 10);
    await cut;
    clearInterval(writing);
    expect(slow.destroyed).toBe(true);
    expect((await send(`${api.origin}/en/api/events`)).status).toBe(200);
  });

  test('an idle connection is kept open', async () => {
    const socket = await open();
    const request = 'GET /en/api/persons?page=3 HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let round = 0; round < 2; round += 1) {
      socket.write(request);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
      await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE));
    }
    socket.destroy();
  });

  test('other methods get a response before their body arrives', async () => {
    const { status, head } = await sendRaw(
      'POST /en/api/persons HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n',
    );
    expect(status).toBe(405);
    expect(head).toContain('allow: get, head, options');
  });
});
