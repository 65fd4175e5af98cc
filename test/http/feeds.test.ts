import { KINDS, LANGUAGES, recordPage } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';

describeFixture('sitemaps and feeds', (archive) => {
  const get = async (path: string) => {
    const response = await archive().fetch(path);
    expect(response.status, path).toBe(200);
    return { text: await response.text(), type: response.headers.get('content-type') };
  };

  test('robots.txt names the sitemaps, and these name every page in both languages', async () => {
    expect((await get('/robots.txt')).text).toContain(`Sitemap: ${BASE_URL}/sitemap.xml\n`);
    const index = await get('/sitemap.xml');
    expect(index.type).toBe('application/xml; charset=utf-8');
    const maps = [...index.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
    expect(maps).toHaveLength(1 + KINDS.filter((kind) => SERVED[kind] > 0).length);
    const pages: string[] = [];
    // The documentation is in English only.
    expect((await get('/sitemap-pages.xml')).text).toMatch(
      /<loc>[^<]*\/en\/docs<\/loc><lastmod>[^<]*<\/lastmod><\/url>/,
    );
    for (const map of maps) {
      // A sitemap may name addresses of its own folder only.
      expect(map.slice(0, map.lastIndexOf('/'))).toBe(BASE_URL);
      const { text } = await get(map.slice(BASE_URL.length));
      expect(text).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
      pages.push(...[...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address));
    }
    const others = 2 * (1 + KINDS.length) + 1;
    expect(pages).toHaveLength(2 * TOTAL + others);
    for (const language of LANGUAGES) {
      expect(pages).toContain(recordPage(BASE_URL, language, 'person', uuidOf('person', 101)));
      expect(pages).toContain(`${BASE_URL}/${language}/`);
      expect(pages).toContain(`${BASE_URL}/${language}/personen/`);
    }
  });

  test.each(['/sitemap-persons-2.xml', '/sitemap-persons-0.xml', '/sitemap-people-1.xml', '/sitemap-x'])(
    '%s is not found',
    async (path) => {
      const response = await archive().fetch(path);
      expect(response.status).toBe(404);
      await response.arrayBuffer();
    },
  );

  test.each(LANGUAGES)('the feed has the most recently changed records (%s)', async (language) => {
    const { text, type } = await get(`/${language}/feed.atom`);
    expect(type).toBe('application/atom+xml; charset=utf-8');
    expect(text).toContain(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`);
    const links = [...text.matchAll(/<entry>.*?href="([^"]*)"/gs)].map(([, address = '']) => address);
    expect(links).toHaveLength(Math.min(50, TOTAL));
    // What is in the other language says so.
    expect(text.includes('<title xml:lang="nl">')).toBe(language === 'en');
    expect(text).toContain('<category term="event" label=');
    for (const link of links.slice(0, 5)) await get(link.slice(BASE_URL.length));
  });
});
