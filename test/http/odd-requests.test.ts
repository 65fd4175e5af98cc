import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { startShared, type TestArchive } from '../support/api-server.ts';

describe('unusual requests', () => {
  let archive: TestArchive;
  beforeAll(async () => {
    archive = await startShared('fixture', 'sqlite');
  });

  /** Sends these bytes (Latin-1), and returns the response. */
  const send = (bytes: string) =>
    new Promise<{ status: number; headers: Headers; body: string }>((resolve, reject) => {
      const { port } = new URL(archive.origin);
      const parts: Buffer[] = [];
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('data', (part) => parts.push(part)).on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = Buffer.concat(parts).toString().split('\r\n\r\n', 2);
        const [first = '', ...lines] = head.split('\r\n');
        const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
        resolve({ status: Number(first.split(' ')[1]), headers, body });
      });
      socket.write(Buffer.from(bytes, 'latin1'));
    });
  const get = (target: string, headers = 'Host: x\r\n') =>
    send(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);

  const CHUNKED = 'Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked';
  const inChunks = (target: string, body: string) =>
    send(
      `POST ${target} HTTP/1.1\r\n${CHUNKED}\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );

  test('a form in chunks is read up to its limit', async () => {
    expect(await inChunks('/oai', 'verb=Identify')).toMatchObject({ status: 200 });
    const long = await inChunks(
      '/en/reconcile',
      `queries=${JSON.stringify({ a: { query: 'x'.repeat(200_000) } })}`,
    );
    expect(long.status).toBe(200);
    const tooLong = await inChunks('/en/reconcile', `queries=${'x'.repeat(300_000)}`);
    expect([tooLong.status, tooLong.body]).toEqual([400, expect.stringContaining('at most 262144 bytes')]);
  });

  test('a request after a form in chunks is answered after it', async () => {
    const form = `POST /oai HTTP/1.1\r\n${CHUNKED}\r\n\r\nd\r\nverb=Identify\r\n0\r\n\r\n`;
    const { status, body } = await send(
      `${form}GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([status, body]).toEqual([200, expect.stringContaining('<Identify>')]);
  });

  test.each([
    ['//en/api/persons?q=a//b', '/en/api/persons?q=a//b'],
    ['/en//api///persons', '/en/api/persons'],
    ['/en/api/persons//', '/en/api/persons/'],
  ])('a doubled slash leads where one does: %s', async (target, location) => {
    const { status, headers } = await get(target);
    expect([status, headers.get('location')]).toEqual([308, `${archive.baseUrl}${location}`]);
  });

  test.each([
    ['/en/personen/', 'Accept-Encoding'],
    ['/en/zoeken/?q=huygens', 'Accept-Encoding'],
    ['/en/feed.atom', 'Accept-Encoding'],
    ['/sitemap.xml', 'Accept-Encoding'],
    ['/robots.txt', 'Accept-Encoding'],
    ['/en/api/persons', 'Accept, Accept-Encoding'],
    ['/en/dataset/', 'Accept, Accept-Encoding'],
    ['/en/personen/x/', 'Accept, Accept-Encoding'],
  ])('Vary of %s is %s', async (target, vary) => {
    expect((await get(target)).headers.get('vary')).toBe(vary);
  });

  test.each([
    ['a target that is no URL', 'GET http://[::1 HTTP/1.1\r\nHost: x', 400, /Invalid request target/],
    ['a star that is not asked for options', 'GET * HTTP/1.1\r\nHost: x', 400, /Invalid request target/],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x', 400, /Invalid request target/],
    [
      'Latin-1, percent-encoded',
      'GET /en/api/search?q=last_name:caf%e9 HTTP/1.1\r\nHost: x',
      400,
      /Invalid UTF-8 in parameter \\"q\\"/,
    ],
    [
      'half a character',
      'GET /en/api/search?q=last_name:%E0%A4%A HTTP/1.1\r\nHost: x',
      400,
      /Invalid UTF-8 in parameter \\"q\\"/,
    ],
    ...['a\r\nHost: b', 'a\r\nHost: a', 'a, b', 'a,b', 'a b', 'u@a', 'a/b', '<a>', 'caf\xe9', 'a:b'].map(
      (host): [string, string, number, RegExp] => [
        `Host: ${host}`,
        `GET /en/api/persons HTTP/1.1\r\nHost: ${host}`,
        400,
        /Invalid header Host/,
      ],
    ),
    [
      'half a character in a suggestion',
      'GET /nl/api/suggest?field=last_name&prefix=%ff HTTP/1.1\r\nHost: x',
      400,
      /Invalid UTF-8 in parameter \\"prefix\\"/,
    ],
  ])('%s is a problem of ours', async (_, request, status, said) => {
    const answer = await send(`${request}\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      status,
    });
    expect(answer.body).toMatch(said);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      allow: 'GET, HEAD, OPTIONS',
      vary: 'Accept, Accept-Encoding',
      'access-control-allow-origin': '*',
      'x-request-id': expect.any(String),
    });
  });

  test.each([
    ['no Host', 'GET /en/api/persons HTTP/1.1', 400],
    ['an unknown Expect', 'GET /en/api/persons HTTP/1.1\r\nHost: x\r\nExpect: tea', 417],
    ['bytes that are not ASCII', 'GET /en/api/search?q=caf\xe9 HTTP/1.1\r\nHost: x', 400],
  ])('%s: HTTP that is malformed is answered by Node itself', async (_, request, status) => {
    const answer = await send(`${request}\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('problem');
  });

  test.each([
    ['/openapi.json/', 308],
    ['/docs', 302],
    ['/nl/docs', 302],
  ])('the redirect of %s has its target in JSON', async (path, expected) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(body)).toEqual({ location: headers.get('location') });
  });

  test('an absolute target is treated as its path, with any host', async () => {
    const { headers, ...plain } = await get('/en/api/persons?page=2');
    const { headers: others, ...absolute } = await get('http://other.test/en/api/persons?page=2');
    expect(absolute).toEqual(plain);
    expect(others.get('etag')).toBe(headers.get('etag'));
    expect(await get('http://other.test')).toMatchObject({ status: (await get('/')).status });
  });

  test('unusual but valid requests get a response', async () => {
    for (const target of [
      '/en/api/search?q=100%',
      '/en/api/search?q=last_name:caf%C3%A9',
      '/en/api/persons?utm_source=caf%e9',
    ]) {
      expect((await get(target)).status, target).toBe(200);
    }
    expect((await send('GET /en/api/persons HTTP/1.0\r\n\r\n')).status).toBe(200);
    for (const host of ['', 'a_b.example:80', '[::1]:3000', '10.0.0.1']) {
      expect((await get('/en/api/persons', `Host: ${host}\r\n`)).status, host).toBe(200);
    }
  });
});
