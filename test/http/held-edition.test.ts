import { join } from 'node:path';
import { type Changes, editionsSchema, type Manifest, manifestSchema } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, BASE_URL, serveDatabase, untilServed } from '../support/api-server.ts';
import { crawl } from '../support/crawl.ts';
import { listEveryPath } from '../support/every-path.ts';
import { FIXTURE, SERVED, TOTAL, writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send, withoutMoment } from '../support/send.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { getJson, walkRecords } from '../support/walk.ts';

/** A word in the held edition only. */
const MARK = 'Zwanenzang';
const NEW = { id: 77_000, uuid: uuidOf('person', 77_000), last_name: MARK, title_nl: MARK, title_en: MARK };

/** An unknown edition number. */
const NEVER = 9;

/** Headers of every response from the held edition. */
const OF_HELD = {
  'archive-edition': '2',
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};

describe('a held edition', () => {
  let folder: string;
  let database: TestDatabase;
  let server: ApiServer;
  let key: string;
  let said: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase('sqlite');
    await publishHere(database, await writeFixture(join(folder, 'first')));
    const bundle = await writeBundle(join(folder, 'second'), {
      ...FIXTURE,
      person: [...FIXTURE.person, NEW],
    });
    const settings = settingsFor(database, { BASE_URL });
    const held = await runApiHere(['publish', bundle, '--hold', '--keep', '3'], settings);
    expect(held.code, held.stderr).toBe(0);
    said = held.stdout;
    [, key = ''] = /\/preview\/([0-9a-f-]{36})\//m.exec(said) ?? [];
    server = await serveDatabase(database);
  });

  const command = async (...args: string[]) =>
    (await runApiHere(args, settingsFor(database, { BASE_URL }))).stdout;
  const withParameter = (path: string, name: string, value: string | number) =>
    `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;
  const preview = (path: string) => withParameter(path, 'edition', key);
  const everyPath = async () => [
    ...(await listEveryPath(server.origin)),
    '/en/feed.atom',
    '/sitemap.xml',
    '/sitemap-persons-1.xml',
    `/en/personen/${NEW.uuid}/`,
    `/en/api/persons/${NEW.uuid}`,
    `/en/api/search?q=${MARK}`,
    `/en/zoeken/?q=${MARK}`,
    '/en/api/suggest?field=last_name&prefix=zwanen',
  ];

  test('has a preview address, printed by publish and editions', async () => {
    const address = `${BASE_URL}/preview/${key}/en/`;
    expect(said).toContain(`It is held: to serve it, run archive-api switch 2.\n`);
    expect(said).toContain(`Preview: ${address}\n`);
    expect(await command('editions')).toMatch(
      new RegExp(`^ {2}edition 2 .*, held: ${address.replaceAll('.', '\\.')}\n\\* edition 1 .*\n$`),
    );
    const { stdout } = await runApiHere(['editions'], settingsFor(database, { BASE_URL, PAGES: 'off' }));
    expect(stdout).toContain(`${BASE_URL}/preview/${key}/en/api\n`);
  });

  describe('at its preview address', () => {
    const inPreview = (path: string) => `${server.origin}/preview/${key}${path}`;

    test('everything is served from it, links into the preview, and is kept by nobody', async () => {
      const base = `${BASE_URL}/preview/${key}`;
      for (const path of await everyPath()) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers, body } = await send(inPreview(path), {}, method);
          expect({ status, headers }, path).toMatchObject({
            status: 200,
            headers: OF_HELD,
          });
          expect(headers['set-cookie']).toBeUndefined();
          expect(body.toString().replaceAll(base, '').includes(`${BASE_URL}/`), path).toBe(false);
        }
      }
      const { next, results } = await getJson<{ next: string; results: { url: string }[] }>(
        server,
        `/preview/${key}/en/api/persons`,
      );
      for (const link of [next, ...results.map(({ url }) => url)]) expect(link).toContain(`${base}/en/`);
    });

    test('no page leads out of it, and all say what it is', async () => {
      const pages = new Set<string>();
      const { broken } = await crawl({
        origin: server.origin,
        start: [`/preview/${key}/nl/`],
        isFollowed: (path) => !/\/(?:docs|api)\b|\/zoeken\/.*q=/.test(path),
        onPage(path, html) {
          pages.add(path);
          expect(path.startsWith(`/preview/${key}/`), path).toBe(true);
          expect(html, path).toContain('<meta name="robots" content="noindex"');
          expect(html, path).toMatch(/Preview of an edition|Voorbeeld van een editie/);
          expect(html, path).not.toContain('rel="canonical"');
        },
      });
      expect(broken.filter((path) => !path.includes('/media/'))).toEqual([]);
      expect(pages).toContain(`/preview/${key}/nl/personen/${NEW.uuid}/`);
      expect(pages.size).toBeGreaterThan(TOTAL);
    });

    test('has no other edition, also in its errors', async () => {
      expect((await send(inPreview('/en/api/persons?edition=1'))).status).toBe(410);
      expect((await send(inPreview('/en/api/persons?edition=2'))).status).toBe(200);
      for (const path of [`/en/personen/${uuidOf('person', 88_888)}/`, '/nowhere/'])
        expect((await send(inPreview(path))).headers).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'no-referrer',
        });
    });

    test('without its key there is nothing: as for an address that never was', async () => {
      const wrong = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const name of [wrong, '2', '1', 'x'])
        for (const path of ['/en/', '/en/api/persons', `/en/personen/${NEW.uuid}/`]) {
          const { status, body } = await send(`${server.origin}/preview/${name}${path}`);
          expect(status, `${name}${path}`).toBe(404);
          expect(body.toString()).not.toContain(MARK);
        }
      expect((await send(`${server.origin}/preview/${key.toUpperCase()}/en/`)).status).toBe(200);
    });
  });

  test('is in no response to requests without its key', async () => {
    for (const path of await everyPath()) {
      const { body, headers } = await send(server.origin + path);
      const text = body.toString().replaceAll(`q=${MARK}`, '').replaceAll(`“${MARK}`, '');
      expect(text.includes(key), path).toBe(false);
      if (!path.includes(`q=${MARK}`)) expect(text.includes(MARK), path).toBe(false);
      expect(headers['archive-edition'], path).toBe('1');
      expect(headers['x-robots-tag'], path).toBe(path.includes('/embed/') ? 'noindex' : undefined);
    }
    const { editions } = editionsSchema.parse(await getJson(server, '/api/editions'));
    expect(editions.map(({ id }) => id)).toEqual([1]);
    expect(await getJson(server, `/en/api/search?q=${MARK}`)).toMatchObject({ count: 0 });
  });

  test('responds to its number as to an unknown number', async () => {
    const { etag: tag = '' } = (await send(server.origin + preview('/en/api/persons'))).headers;
    const ask = async (path: string, method: string, headers: Record<string, string>) => {
      const answer = await send(server.origin + path, headers, method);
      const text = answer.body.toString().replaceAll(/(?:editi(?:on|e)[ =]|since=)\d/gi, 'edition');
      return { status: answer.status, headers: withoutMoment(answer.headers), text };
    };
    const both = async (path: string, name: string, method = 'GET', headers = {}) => {
      const held = await ask(withParameter(path, name, 2), method, headers);
      expect(held, `${method} ${path} by ${name}`).toEqual(
        await ask(withParameter(path, name, NEVER), method, headers),
      );
      return held;
    };
    for (const path of await everyPath()) await both(path, 'edition');
    const path = '/en/api/persons';
    expect(await both(path, 'edition')).toMatchObject({ status: 404 });
    expect(await both('/nl/personen/', 'edition', 'GET', { Accept: 'text/html' })).toMatchObject({
      status: 404,
    });
    expect(await both(path, 'edition', 'HEAD')).toMatchObject({ status: 404 });
    expect(await both(path, 'edition', 'GET', { 'If-None-Match': tag })).toMatchObject({ status: 404 });
    expect(await both(path, 'edition', 'GET', { 'If-None-Match': '*' })).toMatchObject({ status: 404 });
    expect(await both(path, 'edition', 'OPTIONS')).toMatchObject({ status: 200 });
    expect(await both('/api/changes', 'since')).toMatchObject({ status: 404 });
    expect(await both('/en/api/changes.jsonl', 'since')).toMatchObject({ status: 404 });
  });

  test('responds 404 to an unknown key, and 400 to an invalid one', async () => {
    const wrong = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await getProblem(`/en/api/persons?edition=${wrong}`)).toMatchObject({
      status: 404,
      type: `${BASE_URL}/problems/no-such-edition`,
      detail: `No edition with key ${wrong}.`,
      editions: [1],
    });
    expect(await getProblem(`/en/api/persons?edition=${key.slice(0, -1)}`)).toMatchObject({
      status: 400,
      expected: 'the number of an edition, as in the header Archive-Edition, or its key',
    });
  });

  async function getProblem(path: string): Promise<unknown> {
    return (await server.fetch(path)).json();
  }

  test('is served by its key, with no-store', async () => {
    for (const path of await everyPath()) {
      const isOfNone =
        /\/(?:docs|problems|robots|assets|favicon|openapi|sitemap|editions|gone|feed\.atom)/.test(path);
      if (isOfNone) continue;
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await send(server.origin + preview(path), {}, method);
        expect({ status, headers }, path).toMatchObject({
          status: 200,
          headers: OF_HELD,
        });
      }
    }
    const { etag: tag = '' } = (await send(server.origin + preview('/en/api/persons'))).headers;
    const held = await send(server.origin + preview('/en/api/persons'), { 'If-None-Match': tag });
    expect(held).toMatchObject({ status: 304, headers: { 'cache-control': 'private, no-store' } });
    const upper = await send(`${server.origin}/en/api/persons?edition=${key.toUpperCase()}`);
    expect(upper.headers.etag).toBe(tag);
  });

  test('problems with a request for it are no-store too', async () => {
    for (const path of ['/en/api/persons?page=99', `/en/personen/${uuidOf('person', 88_888)}/`]) {
      const { status, headers } = await send(server.origin + preview(path), { Accept: 'text/html' });
      expect({ status, headers }).toMatchObject({
        status: 404,
        headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
      });
    }
  });

  test('can be read through its lists, dumps and changes', async () => {
    const persons = await walkRecords(server, preview('/en/api/persons'));
    expect(persons).toHaveLength(SERVED.person + 1);
    const found = await getJson<{ count: number }>(server, preview(`/en/api/search?q=${MARK}`));
    expect(found.count).toBe(1);
    const record = await server.fetch(preview(`/en/api/persons/${NEW.uuid}`));
    expect(record.headers.get('link')).toContain(
      `/en/personen/${NEW.uuid}/?edition=${key}>; rel="alternate"`,
    );
    const manifest: Manifest = manifestSchema.parse(
      await getJson(server, preview('/en/api/dump/manifest.json')),
    );
    const file = manifest.dumps.find(({ name }) => name === 'persons.jsonl');
    expect(file?.url).toBe(preview(`${BASE_URL}/en/api/dump/persons.jsonl`));
    expect(await (await server.fetch(file?.url ?? '')).text()).toContain(MARK);
    const changes = await getJson<Changes>(server, preview('/api/changes?since=1'));
    expect(changes.persons).toEqual({ added: [NEW.uuid], changed: [], removed: [] });
    const none = await getJson<Changes>(server, preview('/api/changes?since=2'));
    expect(none.persons).toEqual({ added: [], changed: [], removed: [] });
  });

  test('can be read through its pages: every link to a page or data keeps the key', async () => {
    const astray: string[] = [];
    const pages = new Set<string>();
    const { broken } = await crawl({
      origin: server.origin,
      start: [`/en/?edition=${key}`],
      isFollowed: (path) => /^\/en\//.test(path) && path.includes(key) && !/\/zoeken\/.*q=/.test(path),
      onPage(path, html) {
        pages.add(path);
        expect(html, path).toContain('<meta name="robots" content="noindex"');
        expect(html, path).not.toContain('rel="canonical"');
        for (const [, link = ''] of html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)) {
          const leavesIt =
            /^https?:|^#|\/docs(?:#\w+)?$|feed\.atom$|\/(?:oai\?verb=Identify|reconcile|iiif\/collection\.json)$|^(?:\.\.\/)*media\//.test(
              link,
            );
          if (!leavesIt && !link.includes(`edition=${key}`)) astray.push(`${path}: ${link}`);
        }
      },
    });
    expect(broken.filter((path) => !path.startsWith('/media/'))).toEqual([]);
    expect(astray).toEqual([]);
    expect(pages).toContain(`/en/personen/${NEW.uuid}/?edition=${key}`);
    // A first edition has no changes to show.
    const front = async (path: string) => await (await server.fetch(path)).text();
    expect(await front(`/en/?edition=${key}`)).toContain('Recently changed');
    expect(await front('/en/')).not.toContain('Recently changed');
    expect([...pages].filter((path) => /\/[0-9a-f-]{36}\//.test(path)).length).toBeGreaterThan(TOTAL);
    const home = await (await server.fetch(`/nl/?edition=${key}`)).text();
    expect(home).toContain(`<input type="hidden" name="edition" value="${key}"`);
    expect(home).toContain(`/nl/api/locations.geojson?edition=${key}"`);
  });

  test('is an ordinary edition once it has been served, also after a switch to another', async () => {
    await command('switch', '2');
    await untilServed(server, 2);
    const isOrdinary = async () => {
      for (const named of [2, key]) {
        const { status, headers } = await send(`${server.origin}/en/api/persons?edition=${named}`);
        expect({ status, headers }).toMatchObject({
          status: 200,
          headers: { 'archive-edition': '2', 'cache-control': 'public, max-age=86400, immutable' },
        });
        expect(headers['x-robots-tag']).toBeUndefined();
      }
      const page = await server.fetch(`/en/personen/${NEW.uuid}/?edition=2`);
      expect(page.headers.get('cache-control')).toContain('max-age=60');
      const { editions } = editionsSchema.parse(await getJson(server, '/api/editions'));
      expect(editions.map(({ id }) => id)).toEqual([2, 1]);
      expect((await server.fetch('/api/changes?since=2')).status).toBe(200);
      const moved = await send(`${server.origin}/preview/${key}/en/zoeken/?q=${MARK}`);
      expect(moved).toMatchObject({
        status: 302,
        headers: {
          location: `${BASE_URL}/en/zoeken/?q=${MARK}&edition=${key}`,
          'cache-control': 'private, no-store',
        },
      });
    };
    expect((await server.fetch(`/en/personen/${NEW.uuid}/`)).headers.get('x-robots-tag')).toBeNull();
    await isOrdinary();
    await command('switch', '1');
    await untilServed(server, 1);
    await isOrdinary();
    expect(await command('editions')).not.toContain('held');
  });
});
