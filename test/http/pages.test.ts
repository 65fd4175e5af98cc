import { PROBLEMS } from 'archive-api/dist/http/problems.js';
import { expect, test } from 'vitest';
import { describeOnEveryEngine } from '../support/contract-archive.ts';
import type { OpenApi } from '../support/openapi-validator.ts';
import { getJson } from '../support/walk.ts';

describeOnEveryEngine('pages', (archive) => {
  const page = async (path: string) => {
    const response = await archive().fetch(path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    return { text: await response.text(), headers: response.headers };
  };

  /** The addresses that a page leads to, as a browser at `path` below any prefix understands them. */
  const linksOf = (text: string, path: string) =>
    [...text.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => new URL(link, `https://example.test/some/prefix${path}`))
      .filter(({ hash }) => hash === '');

  test.each(['/docs', '/', '/problems/invalid-page'])(
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

  test('the page has every endpoint, with a form for its parameters', async () => {
    const { text } = await page('/docs');
    const { paths } = await getJson<OpenApi>(archive(), '/openapi.json');
    for (const [path, { get }] of Object.entries(paths)) {
      const [, form = ''] = text.split(`<form data-path="${path}"`);
      for (const { name, in: place } of get.parameters) {
        if (place !== 'header') expect(form.split('</form>')[0], path).toContain(` name="${name}"`);
      }
    }
  });

  test('nothing in a page is written where its policy would stop it', async () => {
    for (const path of ['/docs', '/problems/not-found']) {
      const { text, headers } = await page(path);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:\/\/(?!archive\.test)/);
      expect(text).not.toMatch(/<style|<script(?! src="docs\/docs\.js" defer>)| style=| on\w+=/);
    }
  });

  test.each(Object.entries(PROBLEMS))(
    'there is help with %s in both languages',
    async (name, { title, help }) => {
      const { text } = await page(`/problems/${name}`);
      const plain = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      for (const language of ['en', 'nl'] as const) {
        expect(plain).toContain(`<section lang="${language}">`);
        expect(plain).toContain(title[language]);
        expect(plain).toContain(help[language]);
      }
    },
  );

  test('the type of a problem leads to its help', async () => {
    const problem = await archive().fetch('/nl/api/persons?page=0');
    const { type } = (await problem.json()) as { type: string };
    expect((await page(type)).text).toContain('Ongeldige pagina');
  });

  test.each([
    ['/docs/docs.css', 'text/css; charset=utf-8'],
    ['/docs/docs.js', 'text/javascript; charset=utf-8'],
    ['/docs/icon.svg', 'image/svg+xml'],
  ])('%s is %s', async (path, contentType) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  test.each([
    '/docs/../package.json',
    '/docs/package.json',
    '/docs/%2e%2e%2fpackage.json',
    '/problems/toString',
  ])('%s is nothing', async (path) => {
    const response = await archive().fetch(path);
    expect(response.status).toBe(404);
    await response.arrayBuffer();
  });

  test.each([
    ['/docs/', '/docs'],
    ['/problems/not-found/', '/problems/not-found'],
  ])('%s leads to %s', async (path, target) => {
    const response = await archive().fetch(path, { redirect: 'manual' });
    expect(response.status).toBe(308);
    const location = new URL(response.headers.get('location') ?? '', `https://example.test/prefix${path}`);
    expect(location.href).toBe(`https://example.test/prefix${target}`);
  });

  test('a document is not sent again to who has it', async () => {
    for (const path of ['/docs', '/openapi.json', '/problems/not-found', '/docs/docs.css']) {
      const etag = (await archive().fetch(path)).headers.get('etag') ?? '';
      const again = await archive().fetch(path, { headers: { 'if-none-match': etag } });
      expect(again.status, path).toBe(304);
    }
  });
});
