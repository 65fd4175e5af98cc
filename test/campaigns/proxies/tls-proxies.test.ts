import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PAGE_SEGMENTS } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { type RunningProxy, startCaddy, startHaproxy, startNginx } from '../../support/proxy.ts';
import { listNegotiated, representationOf } from '../../support/representations.ts';
import { send } from '../../support/send.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As in the documentation. */
const BASE_URL = 'https://example.test/archive';

const PROXIES = [
  { name: 'nginx', start: startNginx },
  { name: 'haproxy', start: startHaproxy },
  { name: 'caddy', start: startCaddy },
] as const;

/** The public pages of records, to which the archive links, are on the institution's own site. */
const RECORD_PAGE = new RegExp(`/(?:${Object.values(PAGE_SEGMENTS).join('|')})/[0-9a-f-]{36}/$`);

interface Fetched {
  status: number;
  type: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Requests a public address as a browser would: by host name and over TLS, at the port of the proxy. */
async function getThrough(
  { port, folder }: RunningProxy,
  url: string,
  headers: Record<string, string> = {},
  localAddress?: string,
): Promise<Fetched> {
  const { host, pathname, search } = new URL(url);
  const ca = await readFile(join(folder, 'certificate.pem'));
  const sent = request({
    ...{ host: '127.0.0.1', port, servername: 'example.test', ca, localAddress },
    ...{ path: pathname + search, headers: { Host: host, ...headers } },
  });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end();
  });
  return {
    status: response.statusCode ?? 0,
    type: String(response.headers['content-type']),
    headers: response.headers,
    body: await text(response),
  };
}

describe.each(PROXIES)('behind $name', ({ name, start }) => {
  describe('an archive', needs(name, 'openssl'), () => {
    const program = placeOf(name);
    let folder: string;
    let archive: TestArchive;
    let proxy: RunningProxy;
    beforeAll(async () => {
      folder = await temporaryFolder();
      const bundle = await writeFixture(folder);
      archive = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL } });
      proxy = await start(program, Number(new URL(archive.origin).port));
    });

    const get = (url: string, headers: Record<string, string> = {}) => getThrough(proxy, url, headers);

    test('every representation is the same as without it', async () => {
      for (const { path, headers } of listNegotiated(uuidOf('person', 101))) {
        const [own, through] = [
          await send(archive.origin + path, headers),
          await get(BASE_URL + path, headers),
        ];
        expect(representationOf(through), `${path} ${JSON.stringify(headers)}`).toEqual(
          representationOf(own),
        );
      }
    });

    test('every link of every response works, and none bypasses the proxy', async () => {
      const start = [
        `${BASE_URL}/`,
        `${BASE_URL}/docs`,
        `${BASE_URL}/en/api/`,
        `${BASE_URL}/nl/api/`,
        `${BASE_URL}/api/dump/manifest.json`,
        `${BASE_URL}/en/api/search?q=last_name%3Anummer`,
        `${BASE_URL}/en/api/search?edition=1&format=api`,
      ];
      /** Each address, and where it is linked. */
      const found = new Map(start.map((url) => [url, 'the start']));
      for (const [url, source] of found) {
        const { status, type, headers, body } = await get(url);
        expect(status, `${url} at ${source}`).toBe(expectedStatus(url.slice(BASE_URL.length)));
        const { location } = headers;
        const redirects = location === undefined ? [] : [new URL(location, url).href];
        // Swagger UI has such addresses of its own.
        if (!url.includes('/assets/docs.')) expect(body, url).not.toMatch(/127\.0\.0\.1|localhost/);
        for (const link of [...redirects, ...linksIn(url, type, String(headers['link']), body)]) {
          // Pages of search link to ever narrower searches.
          if (RECORD_PAGE.test(link) || link.includes('/zoeken/?')) continue;
          // What begins the names of records, and the addresses of suggestions for OpenRefine, is the address of none.
          if (link === `${BASE_URL}/id/` || /\/(?:en|nl)$/.test(link)) continue;
          // The example uuid in the documentation belongs to no record.
          if (/[{<]|00000000-0000-4000-8000-000000000000/.test(decodeURIComponent(link))) continue;
          expect(link.startsWith(`${BASE_URL}/`), `${link} at ${url}`).toBe(true);
          if (!found.has(link)) found.set(link, url);
        }
      }
      const paths = [...found.keys()].map((url) => url.slice(BASE_URL.length));
      expect(paths).toEqual(
        expect.arrayContaining([
          '/openapi.json',
          '/docs',
          '/nl/api/persons?page=3',
          '/en/api/search?edition=1&format=api&page=2',
          '/en/api/dump/persons.jsonl',
          '/nl/api/locations.geojson',
        ]),
      );
      expect(paths.length).toBeGreaterThan(100);
    });

    test.each([
      ['A page out of range', '/en/api/persons?page=99', 404],
      ['An unknown field', '/nl/api/search?q=nofield:x', 400],
      ['An unknown path', '/en/api/nothing', 404],
      ['An unknown edition', '/en/api/persons?edition=99', 404],
      ['A long URL', `/en/api/search?q=${'x'.repeat(33_000)}`, 400],
    ])('%s gets a problem whose type leads to its page', async (_name, path, status) => {
      const answer = await get(BASE_URL + path);
      expect(answer.status, answer.body.slice(0, 200)).toBe(status);
      const { type } = JSON.parse(answer.body);
      expect(type).toMatch(new RegExp(`^${BASE_URL}/problems/[a-z-]+$`));
      const help = await get(type);
      expect(help.status).toBe(200);
      expect(help.type).toBe('text/html; charset=utf-8');
    });

    test('content codings, conditional requests and X-Request-Id are relayed', async () => {
      const url = `${BASE_URL}/en/api/persons`;
      const coded = await get(url, { 'Accept-Encoding': 'br' });
      expect(coded.headers['content-encoding']).toBe('br');
      const held = { 'Accept-Encoding': 'br', 'If-None-Match': String(coded.headers['etag']) };
      expect((await get(url, held)).status).toBe(304);
      expect(coded.headers['x-request-id']).toMatch(/^[0-9a-f-]{32,36}$/);
    });

    test('the root address redirects', async () => {
      const { status, headers } = await get(BASE_URL);
      expect(status).toBe(308);
      expect(String(headers['location'])).toMatch(/\/archive\/$/);
    });
  });
});

describe('behind nginx with the limits of the documentation', needs('nginx', 'openssl'), () => {
  test('one address is delayed, then rejected; another is not', async () => {
    const folder = await temporaryFolder();
    const archive = await startApi({
      engine: 'sqlite',
      bundle: await writeFixture(folder),
      settings: { BASE_URL },
    });
    const limited = await startNginx(placeOf('nginx'), Number(new URL(archive.origin).port), {
      isLimited: true,
    });
    const ask = () => getThrough(limited, `${BASE_URL}/en/api/persons`);
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const many = await Promise.all(Array.from({ length: 300 }, ask));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await ask()).status).toBe(200);
    // Two addresses of crawlers of a group have one limit, and a reader beside them is served.
    const crawled = await startNginx(placeOf('nginx'), Number(new URL(archive.origin).port), {
      ...{ isLimited: true, crawlers: '127.0.0.2 somebot; 127.0.0.3 somebot;' },
    });
    const from = (address: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const { status } = await getThrough(crawled, `${BASE_URL}/en/api/persons`, {}, address);
          return status;
        }),
      );
    const started = performance.now();
    const [one, other, reader] = await Promise.all([
      from('127.0.0.2', 10),
      from('127.0.0.3', 10),
      from('127.0.0.1', 20),
    ]);
    expect(new Set(reader)).toEqual(new Set([200]));
    const passed = [...one, ...other].filter((status) => status === 200).length;
    const most = 11 + 2 * ((performance.now() - started) / 1_000);
    expect(passed).toBeLessThanOrEqual(Math.ceil(most));
    expect([...one, ...other].filter((status) => status === 429).length).toBe(20 - passed);
    expect(passed).toBeGreaterThan(0);
  });
});

/** The status of a path that the archive links to. */
function expectedStatus(path: string): number {
  // Requests for changes need a parameter, which the list of endpoints does not contain.
  if (/\/changes(?:\.jsonl)?$/.test(path)) return 400;
  // The language is chosen.
  if (path === '/' || path === '/docs') return 302;
  // Names lead to a form of what they name.
  return path === '/dataset' || /^\/id\/[0-9a-f-]{36}$/.test(path) ? 303 : 200;
}

/** Absolute addresses in the headers and body, and resolved relative links of a page. */
function linksIn(url: string, type: string, header: string, body: string): string[] {
  const inHeader = [...header.matchAll(/<([^>]*)>/g)].map(([, link = '']) => link);
  if (type.startsWith('text/html')) {
    const references = [...body.matchAll(/(?:href|src)="([^"#]+)(?:#[^"]*)?"/g)];
    const inPage = references.map(([, reference = '']) => new URL(unescapeHtml(reference), url).href);
    return [...inHeader, ...inPage.filter((link) => link.includes('example.test'))];
  }
  const inText = body.match(/https:\/\/example\.test[^"'\\\s<>|,;)#]*/g) ?? [];
  return [...inHeader, ...inText].filter((link) => link !== BASE_URL);
}

function unescapeHtml(escaped: string): string {
  return escaped.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
}
