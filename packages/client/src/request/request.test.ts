import { expect, test } from 'vitest';
import { sendJson, serve } from '../../testing/serve.ts';
import type { AnswerSchemas } from '../answer-schemas.ts';
import type { ClientOptions, Notice } from '../client-options.ts';
import { waitHint } from './limiter.ts';
import { connect, type Held } from './request.ts';

/** Accepts `{"fine": true}`. */
const schemas: AnswerSchemas = (_, value) =>
  JSON.stringify(value) === '{"fine":true}' ? [] : [{ path: ['fine'], message: 'expected true' }];

function requestWith(options: Partial<ClientOptions> = {}) {
  const notices: Notice[] = [];
  const { request } = connect({
    baseUrl: 'http://a.test',
    retries: 2,
    timeoutMs: 5_000,
    slowMs: 5_000,
    // Short back-offs.
    maxWaitMs: 1,
    maxBytes: 1000,
    schemas,
    onNotice: (notice) => notice.type === 'waited' || notices.push(notice),
    ...options,
  });
  const ask = (url: string, held?: Held<{ fine: true }>) =>
    request<{ fine: true }>({ url, schema: 'Facets', expected: 'something fine', held });
  return { ask, notices };
}

test('does not retry a record that the server cannot write', async () => {
  let visits = 0;
  const url = await serve((_request, response) => {
    visits += 1;
    response.writeHead(500).end('{"type":"https://a.test/problems/unwritable-record","title":"Unwritable"}');
  });
  await expect(requestWith().ask(url)).rejects.toThrow('the server responded with status 500: Unwritable');
  expect(visits).toBe(1);
});

test('a response may take longer than the timeout while bytes arrive', async () => {
  const parts = ['{', '"fi', 'ne"', ':', 'tru', 'e}'];
  const url = await serve((_request, response) => {
    const timer = setInterval(() => {
      const part = parts.shift();
      if (part !== undefined) return response.write(part);
      clearInterval(timer);
      return response.end();
    }, 100);
  });
  expect((await requestWith({ retries: 0, timeoutMs: 500 }).ask(url)).body).toEqual({ fine: true });
});

test.each(['', '{"fine":', '{"fine":"}', '[{"fine":true},{"fi'])(
  'a body cut to %s is retried as often as allowed',
  async (body) => {
    let visits = 0;
    const url = await serve((_request, response) => {
      visits += 1;
      response.writeHead(200, { connection: 'close' }).end(visits < 3 ? body : '{"fine":true}');
    });
    expect((await requestWith().ask(url)).body).toEqual({ fine: true });
    await expect(requestWith({ retries: 0 }).ask(`${url}/?edition=2`)).resolves.toBeTruthy();
  },
);

test.each([
  ['latin1', 'expected a response in UTF-8, but it has other bytes'],
  ['utf16le', 'expected a response in UTF-8, but it has other bytes'],
] as const)('bytes in %s are refused', async (encoding, message) => {
  const url = await serve((_request, response) =>
    response.end(Buffer.from('\ufeff{"café": true}', encoding)),
  );
  await expect(requestWith({ retries: 0 }).ask(url)).rejects.toThrow(message);
});

test.each([
  [undefined, 'with status 302, but does not say where to (Location)'],
  ['/en?q=a', 'in a loop: '],
  ['/en?q=b', ', which does not keep the parameter "q"'],
  ['/en', ', which does not keep the parameter "q"'],
  ['http://elsewhere.test/?q=a', 'to http://elsewhere.test/?q=a, which is outside the base URL'],
])('a redirect to %s is refused', async (location, message) => {
  const url = await serve((_request, response) =>
    response.writeHead(302, location ? { location } : {}).end(),
  );
  await expect(requestWith().ask(`${url}/en?q=a`)).rejects.toMatchObject({
    reason: 'redirect',
    message: expect.stringContaining(message),
  });
});

test.each([
  ['archive-edition', '4', '/en/api/x?edition=3', 'expected edition 3, but it is of edition 4'],
  ['content-language', 'nl', '/en/api/x', 'expected language en, but it is of language nl'],
])('a response with %s: %s is refused for %s', async (name, value, path, message) => {
  const url = await serve((_request, response) => sendJson(response.setHeader(name, value), { fine: true }));
  await expect(requestWith({ retries: 0 }).ask(url + path)).rejects.toThrow(message);
});

test('sends a conditional request that every server understands', async () => {
  const url = await serve((request, response) => {
    const { 'if-none-match': etag, 'cache-control': control } = request.headers;
    if (etag === '"one"' && control === 'max-age=0') response.writeHead(304, { etag: '"one"' }).end();
    else sendJson(response, { fine: true });
  });
  const { ask } = requestWith();
  const body: { fine: true } = { fine: true };
  expect((await ask(url, { etag: '"one"', body: () => body })).body).toBe(body);
  const other = await ask(url, { etag: '"two"', body: () => body });
  expect(other.body).toEqual(body);
  expect(other.body).not.toBe(body);
});

test('a response that comes a byte at a time fails as too slow', async () => {
  let visits = 0;
  const url = await serve((_request, response, visit) => {
    visits = visit;
    const dripping = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(dripping));
  });
  const { ask, notices } = requestWith({ retries: 1, slowMs: 300 });
  await expect(ask(url)).rejects.toMatchObject({ reason: 'slow' });
  expect(visits).toBe(2);
  expect(notices).toMatchObject([
    { type: 'retry', reason: expect.stringMatching(/sent \d+ bytes in 0\.\d s, expected at least 1 kB/) },
  ]);
});

test('a slow response succeeds above the minimum rate', async () => {
  const url = await serve((_request, response) => {
    let parts = 0;
    const sending = setInterval(() => {
      parts += 1;
      response.write(' '.repeat(400));
      if (parts < 30) return;
      clearInterval(sending);
      response.end('{"fine":true}');
    }, 20);
  });
  const { ask } = requestWith({ retries: 0, slowMs: 200, maxBytes: 100_000 });
  expect((await ask(url)).body).toEqual({ fine: true });
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.for<[number, Record<string, string>, number | undefined]>([
  [200, {}, undefined],
  [429, {}, undefined],
  [429, { 'retry-after': '30' }, 30_000],
  [503, { 'retry-after': '0' }, 0],
  [503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5000],
  [503, { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
  [503, { 'retry-after': 'soon' }, undefined],
  [503, { 'retry-after': '2 seconds' }, undefined],
  [503, { 'retry-after': '-5' }, undefined],
  // The clock of the server is an hour ahead, or behind, or a cache has kept the response for 3 s.
  [503, { date: 'Thu, 01 Jan 2026 01:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 01:00:05 GMT' }, 5000],
  [503, { date: 'Wed, 31 Dec 2025 23:00:00 GMT', 'retry-after': 'Wed, 31 Dec 2025 23:00:05 GMT' }, 5000],
  [
    503,
    { date: 'Thu, 01 Jan 2026 00:00:00 GMT', age: '3', 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' },
    2000,
  ],
  [429, { 'x-ratelimit-reset': String(NOW + 7000) }, 7000],
  [429, { 'retry-after': '2, 2' }, 2000],
  [429, { 'x-rate-limit-reset': String(NOW / 1000 + 7) }, 7000],
  [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' }, 1500],
  [200, { ratelimit: '"burst";r=5;t=1, "daily";r=0;t=60' }, 60_000],
  [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 7000) }, 7000],
  [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-01-01T00:00:07Z' }, 7000],
  [200, { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '60' }, undefined],
  [200, { 'retry-after': '30' }, undefined],
  [200, { 'ratelimit-remaining': '1', 'ratelimit-reset': '9' }, undefined],
  [200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9000],
  [200, { 'ratelimit-remaining': '0' }, undefined],
  [200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 7) }, 7000],
  [200, { ratelimit: '"default";r=0;t=4' }, 4000],
  [200, { ratelimit: '"default";r=3;t=4' }, undefined],
  [200, { ratelimit: 'limit=10, remaining=0, reset=6' }, 6000],
  [429, { 'retry-after': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 2000],
])('status %i with %j asks to wait %s ms', ([status, headers, expected]) => {
  expect(waitHint(status, new Headers(headers), NOW)).toBe(expected);
});
