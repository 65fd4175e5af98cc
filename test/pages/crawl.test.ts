import { LANGUAGES, PAGE_SEGMENTS, UUID_PATTERN } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { crawl } from '../support/crawl.ts';
import { faultsOfHtml } from '../support/html-checks.ts';
import { describeSite } from '../support/site-archive.ts';

/** The address of a record's page. */
const RECORD = new RegExp(`^/(?:en|nl)/(?:${Object.values(PAGE_SEGMENTS).join('|')})/${UUID_PATTERN}/$`);

describeSite(
  'the pages of the sample',
  'sample',
  ({ archive }) => {
    test('no link or anchor of any page is broken, and every page is valid HTML', {
      timeout: 120_000,
    }, async () => {
      const faults: string[] = [];
      const records = new Set<string>();
      const kinds = new Map<string, number>();
      const { pages, anchors, broken } = await crawl({
        origin: archive().origin,
        start: LANGUAGES.map((language) => `/${language}/`),
        // Pages of search link to ever narrower searches: they are requested, but their links are not followed.
        isFollowed: (path) => !/\/api\/|\/docs|\/zoeken\/\?/.test(path),
        async onPage(path, html) {
          const kind = /\/(\w*)\//.exec(path.slice(3))?.[1] ?? '';
          const seen = (kinds.get(kind) ?? 0) + 1;
          kinds.set(kind, seen);
          if (RECORD.test(path)) records.add(path);
          // Pages of one kind have the same structure: the first three are enough.
          if (seen > 3) return;
          faults.push(...(await faultsOfHtml(html)).map((fault) => `${path}: ${fault}`));
        },
      });
      expect(broken).toEqual([]);
      expect(faults).toEqual([]);
      expect(records.size).toBe(2 * 319);
      expect(pages).toBeGreaterThan(records.size);
      expect(anchors).toBeGreaterThan(500);
    });
  },
  {},
);
