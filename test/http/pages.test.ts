import { expect, test } from 'vitest';
import { BASE_URL, startShared } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { getJson } from '../support/walk.ts';

test('PAGES=off does not serve pages of records, but does serve the documentation', async () => {
  const archive = await startShared('fixture', 'sqlite', { PAGES: 'off' });
  const status = async (path: string) => {
    const response = await archive.fetch(path, { redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  };
  const pages = ['/en/', '/nl/zoeken/', '/nl/personen/', `/en/personen/${uuidOf('person', 101)}/`];
  for (const path of [...pages, '/sitemap.xml', '/en/feed.atom']) expect(await status(path), path).toBe(404);
  const start = await archive.fetch('/', { redirect: 'manual' });
  expect(start.headers.get('location')).toBe('./en/docs');
  const docs = await (await archive.fetch('/en/docs')).text();
  expect(docs).not.toContain('zoeken/');
  expect(await (await archive.fetch('/robots.txt')).text()).not.toContain('Sitemap');
});

test('a bar of the front page has as many events as the search that it leads to', async () => {
  const archive = await startShared('sample', 'sqlite');
  const home = await (await archive.fetch('/en/')).text();
  const bars = [...home.matchAll(/zoeken\/\?q=([^"&]+)[^"]*" title="\d+–\d+: (\d+)"/g)];
  expect(bars.length).toBeGreaterThan(5);
  for (const [, q = '', count] of bars) {
    const found = await getJson(archive, `/en/api/search?q=${q}`);
    expect(String(found['count']), q).toBe(count);
  }
});

describeFixture('pages', (archive) => {
  const page = async (path: string) => {
    const response = await archive().fetch(path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    return { text: await response.text(), headers: response.headers };
  };

  /** The link targets of a page, resolved at `path` below any prefix. */
  const linksOf = (text: string, path: string) =>
    [...text.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => new URL(link, `https://example.test/some/prefix${path}`))
      .filter(({ hash, host }) => hash === '' && host === 'example.test');

  test.each(['/en/docs', '/problems/invalid-page'])(
    'every link of %s works, below any prefix',
    async (path) => {
      const links = linksOf((await page(path)).text, path);
      expect(links.length).toBeGreaterThan(2);
      for (const { pathname, href } of links) {
        expect(href).toMatch(/^https:\/\/example\.test\/some\/prefix/);
        const response = await archive().fetch(pathname.replace('/some/prefix', ''));
        expect(response.status, pathname).toBe(200);
        await response.arrayBuffer();
      }
    },
  );

  test('the description of the OpenAPI document has every field of search, and code in four languages', async () => {
    const { info } = await getJson<{ info: { description: string } }>(archive(), '/openapi.json');
    const fields = [...info.description.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm)].map(
      ([, name]) => name,
    );
    expect(fields).toEqual(
      expect.arrayContaining(['last_name', 'birth_date', 'city', 'place', 'near', 'person']),
    );
    expect([...info.description.matchAll(/^```(\w+)$/gm)].map(([, language]) => language)).toEqual([
      'shell',
      'javascript',
      'python',
      'r',
    ]);
  });

  test.each(['/nl/', '/nl/zoeken/', '/nl/nowhere'])(
    '%s leads to the documentation, in English',
    async (path) => {
      const response = await archive().fetch(path, { headers: { accept: 'text/html' } });
      const links = linksOf(await response.text(), path).map(({ pathname }) => pathname);
      expect(links).toContain('/some/prefix/en/docs');
      expect(links).not.toContain('/some/prefix/nl/docs');
    },
  );

  test('no page contains inline code that its policy blocks', async () => {
    for (const path of ['/en/docs', '/problems/not-found']) {
      const { text, headers } = await page(path);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:\/\/(?!archive\.test)/);
      const outside = text.replaceAll(/<script src="\.\.\/assets\/\w+\.\w+\.js" defer>/g, '');
      expect(outside.match(/<style|<script| style=| on\w+=/)).toBeNull();
    }
  });

  test('the documentation leads to a page about each problem, in both languages', async () => {
    const text = await (await archive().fetch('/openapi.json')).text();
    const names = new Set([...text.matchAll(/\/problems\/([a-z-]+)\)/g)].map(([, name]) => name));
    expect(names.size).toBeGreaterThan(25);
    for (const name of names) {
      const { text: help } = await page(`/problems/${name}`);
      expect(help).toMatch(
        /<section lang="en"><p class="lead">[^<].*<section lang="nl"><h2>[^<]+<\/h2><p class="lead">[^<]/s,
      );
    }
  });

  test('the type of a problem leads to its page', async () => {
    const problem = await archive().fetch('/nl/api/persons?page=0');
    const { type } = (await problem.json()) as { type: string };
    expect((await page(type)).text).toContain('Ongeldige pagina');
  });

  test('assets of pages have a hash in their name, and are immutable', async () => {
    const { text } = await page('/en/docs');
    const assets = linksOf(text, '/en/docs').filter(({ pathname }) => pathname.includes('/assets/'));
    expect(assets).toHaveLength(3);
    for (const { pathname } of assets) {
      const response = await archive().fetch(pathname.replace('/some/prefix', ''));
      expect(response.headers.get('content-type')).toMatch(/^(text\/css|text\/javascript|image\/svg\+xml)/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });

  test.each([
    ['/favicon.ico', 'image/x-icon', '\0\0\u0001\0'],
    [
      '/robots.txt',
      'text/plain; charset=utf-8',
      '# All records are in a few files: https://archive.test/base/en/api/dump/manifest.json lists them.\n',
    ],
  ])('%s is there', async (path, contentType, start) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect((await response.text()).startsWith(start)).toBe(true);
  });

  test.each([
    ['/', 'nl-BE, en;q=0.5', './nl/'],
    ['/', 'fr', './en/'],
    ['/docs', 'nl', './en/docs'],
    ['/nl/docs', 'nl', '../en/docs'],
  ])('%s leads a reader of "%s" to %s', async (path, language, location) => {
    const headers = { 'accept-language': language };
    const response = await archive().fetch(path, { headers, redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(location);
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language');
  });

  test.each([
    '/assets/../package.json',
    '/assets/package.json',
    '/assets/%2e%2e%2fpackage.json',
    '/problems/toString',
  ])('%s is nothing', async (path) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(404);
    await response.arrayBuffer();
  });

  test.each([
    ['/en/docs/', '/en/docs'],
    ['/nl/docs/', '/nl/docs'],
    ['/docs/', '/docs'],
    ['/problems/not-found/', '/problems/not-found'],
    ['/oai/?verb=Identify', '/oai?verb=Identify'],
    ['/api/editions/?x=%C3%A9', '/api/editions?x=%C3%A9'],
    [`/id/${uuidOf('person', 101)}/?edition=1`, `/id/${uuidOf('person', 101)}?edition=1`],
    [`/id/${uuidOf('person', 99_999)}/`, `/id/${uuidOf('person', 99_999)}`],
  ])('%s leads to %s', async (path, target) => {
    const response = await archive().fetch(path, { redirect: 'manual' });
    expect(response.status).toBe(308);
    const location = new URL(response.headers.get('location') ?? '', `https://example.test/prefix${path}`);
    expect(location.href).toBe(`https://example.test/prefix${target}`);
  });

  const PERSON = uuidOf('person', 101);
  test.each([
    ['/en', '/en/'],
    ['/en?edition=1', '/en/?edition=1'],
    ['/nl/zoeken?q=city:Leiden%20huygens&sort=name', '/nl/zoeken/?q=city:Leiden%20huygens&sort=name'],
    ['/en/personen?page=2', '/en/personen/?page=2'],
    [`/en/personen/${PERSON}`, `/en/personen/${PERSON}/`],
  ])('%s leads to %s, below any prefix, and only for GET and HEAD', async (path, target) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await archive().fetch(path, { method, redirect: 'manual' });
      expect(response.status).toBe(308);
      const location = new URL(response.headers.get('location') ?? '', `https://example.test/prefix${path}`);
      expect(location.href).toBe(`https://example.test/prefix${target}`);
      await response.arrayBuffer();
    }
    expect((await archive().fetch(path, { method: 'POST' })).status).toBe(405);
    expect((await archive().fetch(path, { method: 'OPTIONS' })).status).toBe(200);
  });

  test.each([
    ['/en/', 'website'],
    ['/nl/personen/', 'website'],
    ['/en/zoeken/', 'website'],
    [`/nl/personen/${PERSON}/`, 'profile'],
    [`/en/personen/${PERSON}/`, 'profile'],
  ])('the head of %s names its versions, its feed and a preview', async (path, type) => {
    const { text } = await page(path);
    const [, language = ''] = path.split('/');
    const english = `${BASE_URL}${path.replace(/^\/nl/, '/en')}`;
    expect(text).toContain(`<link rel="canonical" href="${BASE_URL}${path}"/>`);
    expect(text).toContain(`<link rel="alternate" hreflang="x-default" href="${english}"/>`);
    expect(text).toMatch(
      new RegExp(
        `<link rel="alternate" type="application/atom\\+xml" href="(?:\\.\\./)+${language}/feed.atom"/>`,
      ),
    );
    expect(text).toContain(`<meta property="og:type" content="${type}"/>`);
    expect(text).toContain('<meta name="twitter:card" content="summary');
    expect(text).not.toContain('name="robots"');
  });

  test('pages of records and lists link to no search that robots would follow', async () => {
    for (const path of [
      `/en/personen/${PERSON}/`,
      `/nl/locaties/${uuidOf('location', 201)}/`,
      '/en/zoeken/hulp/',
      '/nl/',
    ]) {
      const links = (await page(path)).text.match(/<a href="[^"]*zoeken\/\?[^>]*>/g) ?? [];
      expect(
        links.filter((link) => !link.includes('rel="nofollow"')),
        path,
      ).toEqual([]);
    }
  });
});
