import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** An answer through the proxy. */
interface Answer {
  path: string;
  method: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** How the proxy alters messages: `before` a request, `after` an answer. */
interface Meddling {
  before?(request: Pick<Answer, 'path' | 'headers'>): unknown;
  after?(answer: Answer): unknown;
}

let database: TestDatabase;
let server: ApiServer;
let proxy: Server;
let baseUrl: string;
let meddling: Meddling = {};

beforeAll(async () => {
  database = await createTestDatabase('sqlite');
  await publishHere(database, await writeFixture(`${database.folder}/bundle`));
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  server = await serveDatabase(database, { BASE_URL: baseUrl });
  proxy = createServer(async ({ url = '', method = 'GET', headers: given }, response) => {
    const { host, connection, ...headers } = given;
    const wanted = { path: url, headers: headers as Answer['headers'] };
    meddling.before?.(wanted);
    const sent = request(server.origin + wanted.path, {
      method,
      headers: wanted.headers,
      agent: false,
    }).end();
    const [received] = await once(sent, 'response');
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
      delete received.headers[name];
    const { statusCode: status, headers: passed } = received;
    const answer = { path: wanted.path, method, status, headers: passed, body: await buffer(received) };
    meddling.after?.(answer);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(port, '127.0.0.1');
  await once(proxy, 'listening');
});
afterEach(() => {
  meddling = {};
});
afterAll(() => void proxy?.close());

const examine = (...args: string[]) => runApiHere(['doctor', ...args], { BASE_URL: baseUrl });

test('finds no faults without a proxy that alters responses', async () => {
  const { code, stdout, stderr } = await examine();
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain(`All links start with ${baseUrl}.`);
  expect(stdout).not.toContain('FAULT');
});

const drops = (name: string): Meddling => ({ after: ({ headers }) => delete headers[name] });

/** The start of an answer in which nothing is as the archive sent it. */
const another = (status: number, headers: Record<string, string>, body = '') => {
  return { status, headers, body: Buffer.from(body) };
};

test.each<[name: string, says: RegExp, Meddling]>([
  ['drops CORS', /pages of other sites cannot/, drops('access-control-allow-origin')],
  ['drops the ETag', /ETag: The ETag is missing/, drops('etag')],
  ['hides the coding', /Content-Encoding is missing/, drops('content-encoding')],
  ['drops the edition', /Archive-Edition is missing/, drops('archive-edition')],
  ['refuses ranges', /is 200, not 206/, { before: ({ headers }) => delete headers['range'] }],
  [
    'keeps OPTIONS to itself',
    /preflight request \(OPTIONS\) is 405/,
    { after: (answer) => answer.method === 'OPTIONS' && Object.assign(answer, another(405, {})) },
  ],
  [
    'changes the ETag',
    /is 200, not 304/,
    {
      after: ({ headers }) =>
        headers['etag'] && Object.assign(headers, { etag: `"proxy-${headers['etag'].slice(1)}` }),
    },
  ],
  [
    'compresses again',
    /compressed twice/,
    {
      after: (answer) =>
        answer.headers['content-encoding'] && Object.assign(answer, { body: gzipSync(answer.body) }),
    },
  ],
  [
    'decodes addresses',
    /was altered|was dropped/,
    { before: (request) => (request.path = request.path.replace(/%2F|%2B|%22/g, decodeURIComponent)) },
  ],
  [
    'puts error pages of its own',
    /is 404 \(text\/html\), not 404/,
    {
      after: ({ status, headers }) =>
        status === 404 && Object.assign(headers, { 'content-type': 'text/html' }),
    },
  ],
  [
    'holds an old edition',
    /a cache still has edition 0 after 9999 s/,
    {
      after: ({ path, headers }) =>
        path.includes('doctor=') ||
        Object.assign(headers, { 'archive-edition': '0', age: '9999', 'cache-control': 'max-age=60' }),
    },
  ],
  [
    'leads to https',
    /redirects to https \(301\)/,
    {
      after: (answer) =>
        Object.assign(answer, another(301, { location: baseUrl.replace('http:', 'https:') + answer.path })),
    },
  ],
])('reports a proxy that %s', async (_, says, altering) => {
  meddling = altering;
  const { code, stdout, stderr } = await examine();
  expect(stdout).toMatch(says);
  expect(stdout).toContain('FAULT');
  expect(stderr).toMatch(/archive-api: \d+ faults? at/);
  expect(code).toBe(1);
});

test('reports links with another scheme or host', async () => {
  const replaceLinks = (base: string) => (answer: Answer) => {
    answer.body = Buffer.from(answer.body.toString().replaceAll(baseUrl, base));
  };
  meddling = { after: replaceLinks(baseUrl.replace('http:', 'https:')) };
  expect((await examine()).stdout).toMatch(/Links start with https:\S+, the same host with another scheme/);
  meddling = { after: replaceLinks('http://10.0.0.1:3000') };
  expect((await examine()).stdout).toMatch(/Links start with http:\/\/10\.0\.0\.1:3000, another URL/);
});

test('advises when the addresses that name records lead nowhere', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const moved = await serveDatabase(database, { BASE_URL: ITSELF, IDENTITY_URL: nowhere });
  const { code, stdout } = await runApiHere(['doctor'], { BASE_URL: moved.origin });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    RegExp(
      `advice\\s+identity: .* ${nowhere}/id/.*, which lead nowhere \\(.*ECONNREFUSED.*Let ${nowhere} redirect`,
    ),
  );
  const led = await serveDatabase(database, { BASE_URL: ITSELF, IDENTITY_URL: moved.origin });
  const fine = await runApiHere(['doctor'], { BASE_URL: led.origin });
  expect(fine.stdout).toContain(`named by addresses that start with ${moved.origin}/id/.`);
});

test('reports a refused connection, and another server', async () => {
  const nothing = await runApiHere(['doctor'], { BASE_URL: `http://127.0.0.1:${await freePort()}` });
  expect(nothing.code).toBe(1);
  expect(nothing.stdout).toMatch(/No response from http:\S+: .*ECONNREFUSED/);
  meddling = { after: (answer) => Object.assign(answer, another(200, {}, 'hi')) };
  expect((await examine()).stdout).toContain('is not the response of an archive (200, no content type)');
});

test('reports as JSON', async () => {
  meddling = drops('etag');
  const { code, stdout } = await examine('--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    base_url: baseUrl,
    faults: 1,
    findings: expect.arrayContaining([{ check: 'ETag', level: 'fault', says: expect.any(String) }]),
  });
});

test.each([
  [
    'lacks',
    'User-agent: *\nDisallow:\n',
    /advice\s+robots: Robots read http:\S+\/robots\.txt only, which lacks \d+ of the lines of \S+\/archive\/robots\.txt/,
  ],
  ['has', undefined, /robots: \S+\/robots\.txt says to robots what the archive says/],
])('below a prefix, says whether the root %s the rules for robots', async (_, rules, says) => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const below = await serveDatabase(database, { BASE_URL: `${origin}/archive` });
  const root = createServer(async ({ url = '', headers }, response) => {
    if (url === '/robots.txt' && rules !== undefined) return void response.end(rules);
    const { host, connection, ...passed } = headers;
    const sent = request(below.origin + url.replace(/^\/archive/, ''), {
      headers: passed,
      agent: false,
    }).end();
    const [received] = await once(sent, 'response');
    response.writeHead(received.statusCode, received.headers).end(await buffer(received));
  }).listen(port, '127.0.0.1');
  await once(root, 'listening');
  const { stdout } = await runApiHere(['doctor'], { BASE_URL: `${origin}/archive` });
  root.close();
  expect(stdout).toMatch(says);
});
