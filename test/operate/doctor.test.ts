import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** A message through the proxy, which can be altered. */
interface Passing {
  path: string;
  sent: IncomingHttpHeaders;
  method: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** How the proxy alters messages; `before` alters the request. */
interface Meddling {
  before?(request: { path: string; headers: Record<string, string> }): void;
  after?(passing: Passing): void;
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
  proxy = createServer(async (request, response) => {
    const wanted = {
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers)
          .filter(([name]) => !['host', 'connection'].includes(name))
          .map(([name, value]) => [name, String(value)]),
      ),
    };
    meddling.before?.(wanted);
    const answer = await sendRaw(server.origin + wanted.path, request.method ?? 'GET', wanted.headers);
    const passing = { ...answer, path: wanted.path, sent: request.headers, method: request.method ?? 'GET' };
    meddling.after?.(passing);
    response.writeHead(passing.status, passing.headers).end(passing.body);
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

test.each<[name: string, Meddling, says: RegExp]>([
  [
    'drops CORS',
    { after: (answer) => drop(answer, 'access-control-allow-origin') },
    /pages of other sites cannot/,
  ],
  ['keeps OPTIONS to itself', { after: refuseOptions }, /preflight request \(OPTIONS\) is 405/],
  ['drops the ETag', { after: (answer) => drop(answer, 'etag') }, /ETag: The ETag is missing/],
  ['changes the ETag', { after: renameTag }, /is 200, not 304/],
  ['compresses again', { after: compressAgain }, /compressed twice/],
  [
    'hides the coding',
    { after: (answer) => drop(answer, 'content-encoding') },
    /Content-Encoding is missing/,
  ],
  ['refuses ranges', { before: ({ headers }) => delete headers['range'] }, /is 200, not 206/],
  ['decodes addresses', { before: decodePath }, /was altered|was dropped/],
  ['puts error pages of its own', { after: replaceErrors }, /is 404 \(text\/html\), not 404/],
  ['holds an old edition', { after: holdEdition }, /a cache still has edition 0 after 9999 s/],
  ['drops the edition', { after: (answer) => drop(answer, 'archive-edition') }, /Archive-Edition is missing/],
  ['leads to https', { after: leadToHttps }, /redirects to https \(301\)/],
])('reports a proxy that %s', async (_, altering, says) => {
  meddling = altering;
  const { code, stdout, stderr } = await examine();
  expect(stdout).toMatch(says);
  expect(stdout).toContain('FAULT');
  expect(stderr).toMatch(/archive-api: \d+ faults? at/);
  expect(code).toBe(1);
});

test('reports links with another scheme or host', async () => {
  meddling = { after: (answer) => replaceInBody(answer, baseUrl, baseUrl.replace('http:', 'https:')) };
  expect((await examine()).stdout).toMatch(/Links start with https:\S+, the same host with another scheme/);
  meddling = { after: (answer) => replaceInBody(answer, baseUrl, 'http://10.0.0.1:3000') };
  expect((await examine()).stdout).toMatch(/Links start with http:\/\/10\.0\.0\.1:3000, another URL/);
});

test('reports a refused connection, and another server', async () => {
  const nothing = await runApiHere(['doctor'], { BASE_URL: `http://127.0.0.1:${await freePort()}` });
  expect(nothing.code).toBe(1);
  expect(nothing.stdout).toMatch(/No response from http:\S+: .*ECONNREFUSED/);
  meddling = {
    after: (answer) => Object.assign(answer, { status: 200, headers: {}, body: Buffer.from('hi') }),
  };
  expect((await examine()).stdout).toContain('is not the response of an archive (200, no content type)');
});

test('reports as JSON', async () => {
  meddling = { after: (answer) => drop(answer, 'etag') };
  const { code, stdout } = await examine('--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    base_url: baseUrl,
    faults: 1,
    findings: expect.arrayContaining([{ check: 'ETag', level: 'fault', says: expect.any(String) }]),
  });
});

async function sendRaw(url: string, method: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  const sent = request(url, { method, headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  const flat = Object.entries(response.headers as IncomingHttpHeaders)
    .filter(([name]) => !['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name))
    .map(([name, value]) => [name, String(value)]);
  return {
    status: Number(response.statusCode),
    headers: Object.fromEntries(flat),
    body: Buffer.concat(parts),
  };
}

function drop({ headers }: Passing, name: string): void {
  delete headers[name];
}

function refuseOptions(answer: Passing): void {
  if (answer.method === 'OPTIONS') Object.assign(answer, { status: 405, headers: {}, body: Buffer.alloc(0) });
}

function renameTag({ headers }: Passing): void {
  if (headers['etag']) headers['etag'] = `"proxy-${headers['etag'].slice(1)}`;
}

function compressAgain(answer: Passing): void {
  if (answer.headers['content-encoding'] === 'gzip') answer.body = gzipSync(answer.body);
}

function decodePath(request: { path: string }): void {
  request.path = request.path.replaceAll('%2F', '/').replaceAll('%2B', '+').replaceAll('%22', '');
}

function replaceErrors(answer: Passing): void {
  if (answer.status === 404) {
    Object.assign(answer, { headers: { 'content-type': 'text/html' }, body: Buffer.from('Not found') });
  }
}

function holdEdition({ path, headers }: Passing): void {
  if (path.includes('doctor=')) return;
  Object.assign(headers, { 'archive-edition': '0', age: '9999', 'cache-control': 'max-age=60' });
}

function leadToHttps(answer: Passing): void {
  const location = baseUrl.replace('http:', 'https:') + answer.path;
  Object.assign(answer, { status: 301, headers: { location }, body: Buffer.alloc(0) });
}

function replaceInBody(answer: Passing, from: string, to: string): void {
  if (answer.headers['content-encoding'] !== undefined) return;
  answer.body = Buffer.from(answer.body.toString().replaceAll(from, to));
}
