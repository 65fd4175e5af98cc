import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiServer } from '../support/api-server.ts';
import {
  ADDRESS,
  PAGES,
  RECORD_PAGES,
  type Replacements,
  serveOdd,
  uuid,
  WORD,
} from '../support/odd-edition.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

describe('an edition published by an older release', () => {
  let database: TestDatabase;
  let server: ApiServer | undefined;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterEach(() => server?.stop());
  afterAll(() => database?.drop());

  async function serveWith(replaced: Replacements): Promise<ApiServer['fetch']> {
    server = await serveOdd(database, replaced);
    return server.fetch;
  }

  async function textsOf(fetch: ApiServer['fetch'], paths: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const path of paths) {
      const answer = await fetch(path);
      expect(answer.status, path).toBe(path.endsWith('/nowhere') ? 404 : 200);
      found.push(await answer.text());
    }
    return found;
  }

  test('shows records with invalid pictures without them', async () => {
    const fetch = await serveWith([[ADDRESS, 'http:foo.jpg']]);
    const lists = await textsOf(fetch, [...PAGES, '/sitemap.xml', '/sitemap/persons-1.xml']);
    expect(lists.join('').match(/Oddity/g)?.length).toBeGreaterThan(40);
    for (const page of await textsOf(fetch, RECORD_PAGES)) {
      expect(page).toContain(WORD);
      expect(page).not.toMatch(/<figure|og:image|"image":/);
    }
    const { results } = await (await fetch('/en/api/persons')).json();
    expect(results[0].image.url).toBe('http:foo.jpg');
  });

  test('works without an invalid record', async () => {
    const fetch = await serveWith([['{"id":1,', '{"id":"one",']]);
    const feed = (await textsOf(fetch, [...PAGES, '/nl/feed.atom'])).at(-1) ?? '';
    expect(feed).not.toContain(uuid(1));
    for (const other of [2, 3, 4, 5]) expect(feed).toContain(uuid(other));
    expect((await fetch(RECORD_PAGES[0] ?? '')).status).toBe(500);
  });
});
