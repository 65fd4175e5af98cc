import { KINDS, LANGUAGES } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { type ApiServer, ITSELF, startApi } from '../../support/api-server.ts';
import { crawl } from '../../support/crawl.ts';
import { faultsOfHtml } from '../../support/html-checks.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../../support/sample.ts';
import { getJson } from '../../support/walk.ts';

let archive: ApiServer;
beforeAll(async () => {
  const settings = { BASE_URL: ITSELF, MEDIA_DIR: SAMPLE_MEDIA };
  archive = await startApi({ engine: 'sqlite', bundle: process.env['CRAWL_BUNDLE'] ?? SAMPLE, settings });
}, 600_000);

test('every record has its page in both languages, no link or anchor is broken, and pages are valid HTML', {
  timeout: 3_600_000,
}, async () => {
  const locations = async (path: string) => {
    const text = await (await archive.fetch(path)).text();
    return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
  };
  const pages: string[] = [];
  for (const map of await locations('/sitemap.xml')) {
    // The front pages, lists and documentation have a sitemap of their own.
    if (!map.endsWith('/sitemap-pages.xml')) pages.push(...(await locations(map)));
  }
  const { total } = await getJson<{ total: number }>(archive, '/en/api/');
  expect(pages).toHaveLength(total * LANGUAGES.length);

  const read = new Set<string>();
  const faults: string[] = [];
  const checked = new Map<string, number>();
  const report = await crawl({
    origin: archive.origin,
    start: [...LANGUAGES.map((language) => `/${language}/`), ...pages],
    // Pages of search link to ever narrower searches: they are requested, but their links are not followed.
    isFollowed: (path) => !/\/api\/|\/docs|\/zoeken\/\?/.test(path),
    async onPage(path, html) {
      read.add(path);
      // Pages of one kind have the same structure: the first three are enough.
      const kind = /\/(\w*)\//.exec(path.slice(3))?.[1] ?? '';
      const before = checked.get(kind) ?? 0;
      checked.set(kind, before + 1);
      if (before < 3) faults.push(...(await faultsOfHtml(html)).map((fault) => `${path}: ${fault}`));
    },
  });
  const { broken, ...counts } = report;
  process.stdout.write(`${JSON.stringify({ ...counts, records: total, kinds: KINDS.length })}\n`);
  expect(broken).toEqual([]);
  expect(faults).toEqual([]);
  expect(pages.filter((path) => !read.has(path))).toEqual([]);
});
