import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { readAnswers } from '../support/read-answers.ts';
import { send } from '../support/send.ts';

/** A list whose response is larger than the socket buffers. */
const MANY = 1_000;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

describe('pipelined requests', () => {
  let api: CountedApi;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await api?.stop();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };

  test.each([
    ['at once', 1_000_000],
    ['in parts of 37 bytes', 37],
  ])('get their responses in order, when sent %s', async (_name, partBytes) => {
    api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 20 });
    const paths = Array.from({ length: 120 }, (_, index) =>
      index % 3 === 0 ? `/en/none/${index}` : `/en/api/${index % 2 ? 'persons' : 'events'}?x=${index}`,
    );
    const post = 'POST /en/api/persons HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n\r\n\r\nbody\r\n\r\n';
    const form =
      'POST /oai HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n\r\nx=\r\n\r\n&verb=Identify';
    const last = get('/en/api/subjects', 'Connection: close\r\n');
    const requests = paths.map((path, index) => get(path, `X-Request-Id: number-${index}\r\n`));
    const text = [...requests.slice(0, 60), post, form, ...requests.slice(60), last].join('');
    const socket = await open();
    const answers = readAnswers(socket);
    for (let start = 0; start < text.length; start += partBytes) {
      socket.write(text.slice(start, start + partBytes));
      if (start % 50 === 0) await sleep(0);
    }
    const came = (await answers).map(({ status, headers }) => `${status} ${headers.get('x-request-id')}`);
    const expected = paths.map((path, index) => `${path.includes('none') ? 404 : 200} number-${index}`);
    expect(came.toSpliced(60, 2).slice(0, -1)).toEqual(expected);
    expect(came[60]).toMatch(/^405 /);
    expect(came[61]).toMatch(/^200 /);
    expect(came.at(-1)).toMatch(/^200 /);
  });

  test('are not read while a response is blocked', async () => {
    api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 20 });
    let begun = 0;
    api.server.on('request', () => (begun += 1));
    const socket = await open();
    socket.pause();
    socket.write(get('/openapi.json').repeat(MANY));
    let before = -1;
    await expect
      .poll(
        async () => {
          const isStill = begun === before;
          before = begun;
          return isStill;
        },
        { interval: 300, timeout: 20_000 },
      )
      .toBe(true);
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(MANY);
    expect((await send(`${api.origin}/en/api/persons`)).status).toBe(200);
    const answers = readAnswers(socket, MANY);
    expect((await answers).map(({ status }) => status)).toEqual(Array(MANY).fill(200));
    expect(begun).toBe(MANY + 1);
  });
});
