import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { COLLECTIONS, KINDS, recordPage } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { listEveryPath } from '../support/every-path.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send, withoutMoment } from '../support/send.ts';

const DECODE: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** `Accept-Encoding`, and the resulting coding. */
const CHOICES: [header: string | undefined, coding: string][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['zstd', 'zstd'],
  ['gzip, zstd', 'zstd'],
  ['*', 'gzip'],
  ['*, gzip;q=0', 'identity'],
  ['gzip;q=0.5, *;q=0.1, br', 'br'],
  ['*;q=0.1, zstd', 'zstd'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.5, gzip;q=0.8, zstd;q=0.9', 'zstd'],
  ['br;q=0, gzip', 'gzip'],
  ['identity, br;q=0.9', 'identity'],
  ['identity;q=0.5, br;q=0.4', 'identity'],
  ['identity;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['deflate, compress', 'identity'],
  ['br;q=nonsense', 'identity'],
  [',,;', 'identity'],
];

/** Different requests with the same response. */
const SAME: [name: string, requests: string[]][] = [
  [
    'the first page of a list',
    [
      '/en/api/persons',
      '/en/api/persons/',
      '/en/api/persons?page=1',
      '/en/api/persons?page=01',
      '/en/api/persons?page=',
      '/en/api/persons?format=&page=&edition=',
      '/en/api/persons?unknown=1',
      '/en/api/persons?q=city:leiden',
      '/en/api/persons?page=2&page=1',
    ],
  ],
  [
    'a page of search',
    [
      '/nl/api/search?format=api&page=2&q=last_name%3Anummer',
      '/nl/api/search?q=last_name:nummer&page=2&format=api',
      '/nl/api/search?page=002&q=%20last_name:nummer+&format=api&x=y',
      '/nl/api/search/?format=api&q=last%5Fname%3anummer&page=2',
    ],
  ],
  [
    'a record',
    [
      `/en/api/locations/${uuidOf('location', 201)}`,
      `/en/api/locations/${uuidOf('location', 201).toUpperCase()}`,
      `/en/api/locations/${uuidOf('location', 201)}/?page=3`,
    ],
  ],
];

describe('responses', () => {
  let api: CountedApi;
  let uncached: CountedApi;
  let paths: string[];
  beforeAll(async () => {
    api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 26 });
    uncached = await startCountedApi({ engine: 'sqlite', cacheBytes: 0 });
    paths = await listEveryPath(api.origin);
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(api.origin + path, headers, method);

  test.each(SAME)('%s has one ETag and one entry in the cache', async (_name, requests) => {
    const [first = ''] = requests;
    const one = await get(first);
    api.statements.length = 0;
    for (const request of requests) {
      const other = await get(request);
      expect(other.status, request).toBe(200);
      expect(other.headers.etag, request).toBe(one.headers.etag);
      expect(other.body.equals(one.body), request).toBe(true);
    }
    expect(api.statements).toEqual([]);
  });

  test('different responses have different ETags', async () => {
    const tags = await Promise.all(
      [
        '/en/api/persons',
        '/nl/api/persons',
        '/en/api/subjects',
        '/en/api/persons?page=2',
        '/en/api/persons?format=api',
        '/en/api/persons?edition=1',
        '/en/api/search',
        '/en/api/search?q=leiden',
        '/en/api/search?q=Leiden',
        `/en/api/persons/${uuidOf('person', 101)}`,
      ].map(async (path) => (await get(path)).headers.etag),
    );
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('a cached response has the headers and bytes of one from Koa, and runs no statements', async () => {
    // Files are streamed, and the lists of kept editions and of what is gone are read for each request.
    const kept = paths.filter((path) => !/\.(jsonl|csv|geojson|ris|gz)|\/(?:editions|gone)$/.test(path));
    const codings = Object.keys(DECODE);
    const headersAt = (index: number) => ({ 'Accept-Encoding': codings[index % codings.length] ?? '' });
    for (const [index, path] of kept.entries()) {
      const headers = headersAt(index);
      for (const method of ['GET', 'HEAD']) {
        const cold = await get(path, headers, method);
        const hot = await get(path, headers, method);
        // Uncacheable responses, and requests for a range, go through Koa.
        const koa = await get(path, { ...headers, Range: 'records=0-9' }, method);
        for (const other of [hot, koa]) {
          expect(other.status, path).toBe(200);
          expect(withoutMoment(other.headers), path).toEqual(withoutMoment(cold.headers));
          expect(other.body.equals(cold.body), path).toBe(true);
        }
      }
    }
    api.statements.length = 0;
    for (const [index, path] of kept.entries()) await get(path, headersAt(index));
    expect(api.statements).toEqual([]);
  });

  test('without a cache, every response is the same', async () => {
    for (const path of paths) {
      const [one, other] = [await get(path), await send(uncached.origin + path)];
      expect(other.status, path).toBe(200);
      expect(other.headers['content-type'], path).toBe(one.headers['content-type']);
      // These contain the time of publication, which differs between the two servers.
      if (!/manifest|changes|editions|\/api\/?$/.test(path))
        expect(other.body.equals(one.body), path).toBe(true);
    }
  });

  test.each(CHOICES)('Accept-Encoding %j gets %s', async (header, coding) => {
    const { headers, body } = await get(
      '/en/api/events',
      header === undefined ? {} : { 'Accept-Encoding': header },
    );
    expect(headers['content-encoding'] ?? 'identity').toBe(coding);
    expect(headers.etag).toMatch(new RegExp(`-${coding}"$`));
    expect(Number(headers['content-length'])).toBe(body.length);
    const plain = await get('/en/api/events');
    expect(DECODE[coding]?.(body).equals(plain.body)).toBe(true);
    if (coding !== 'identity') expect(body.length).toBeLessThan(plain.body.length / 2);
  });

  test('every response varies by coding, and has its language, edition and request id', async () => {
    for (const path of [
      ...paths,
      '/en/api/persons?page=99',
      '/nl/api/nothing',
      '/xx',
      '/nl/api/search?q=x:y',
    ]) {
      const { headers } = await get(path);
      expect(headers, path).toMatchObject({
        vary: expect.stringMatching(/^(?:Accept, )?Accept-Encoding$/),
        allow: path.endsWith('/reconcile') ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD, OPTIONS',
        'content-language': path.startsWith('/nl') ? 'nl' : 'en',
        'archive-edition': '1',
        'access-control-allow-origin': '*',
        'access-control-expose-headers':
          'ETag, Link, Last-Modified, Archive-Edition, X-Request-Id, Content-Range, Accept-Ranges, Retry-After',
        ...(!path.includes('/embed/') && { 'x-frame-options': 'DENY' }),
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['x-request-id'], path).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['content-security-policy'], path).toContain("default-src 'none'");
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['link'], path).toContain(`<${BASE_URL}/openapi.json>; rel="service-desc"`);
    }
  });

  test('a request keeps its X-Request-Id, if that is valid', async () => {
    for (const path of ['/en/api/persons', '/en/api/persons?page=0', '/openapi.json']) {
      const kept = await get(path, { 'X-Request-Id': 'proxy-1:2.3_4' });
      expect(kept.headers['x-request-id']).toBe('proxy-1:2.3_4');
      for (const insane of ['a b', 'x'.repeat(65), '<script>']) {
        const { headers } = await get(path, { 'X-Request-Id': insane });
        expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
  });

  test('lists have Link headers to the first, adjacent and last page, as in the body', async () => {
    for (const list of [...KINDS.map((kind) => COLLECTIONS[kind]), 'search', 'search?q=name:e']) {
      const path = `/nl/api/${list}`;
      let link: string | null = BASE_URL + path;
      let previous: string | null = null;
      let pages = 0;
      while (link !== null) {
        const { headers, body } = await get(link.slice(BASE_URL.length));
        const links = readLinks(String(headers['link']));
        const envelope: { next: string | null; previous: string | null; count: number } = JSON.parse(
          body.toString(),
        );
        pages += 1;
        expect(links['next'] ?? null).toBe(envelope.next);
        expect(links['prev'] ?? null).toBe(envelope.previous);
        expect(envelope.previous === null).toBe(previous === null);
        const last = Math.max(1, Math.ceil(envelope.count / 10));
        expect(links['first']).toBe(BASE_URL + path.replace('name:e', 'name%3Ae'));
        for (const whole of [links['collection'], links['monitor']])
          expect((await get(whole?.slice(BASE_URL.length) ?? '')).status, whole).toBe(200);
        expect(new URL(links['last'] ?? '').searchParams.get('page') ?? '1').toBe(String(last));
        previous = link;
        link = envelope.next;
        if (link === null) expect(pages).toBe(last);
      }
    }
  });

  test('a record links to its page', async () => {
    for (const [kind, id] of [
      ['person', 101],
      ['subject', 1],
      ['location', 201],
      ['event', 301],
    ] as const) {
      const uuid = uuidOf(kind, id);
      const { headers } = await get(`/nl/api/${COLLECTIONS[kind]}/${uuid}`);
      expect(readLinks(String(headers['link']))['alternate']).toBe(recordPage(BASE_URL, 'nl', kind, uuid));
    }
  });
});

function readLinks(header: string): Record<string, string> {
  const links = [...header.matchAll(/<([^>]*)>; rel="([^"]*)"/g)];
  return Object.fromEntries(links.map(([, url = '', relation = '']) => [relation, url]));
}
