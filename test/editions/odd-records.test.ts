import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES, PAGE_SEGMENTS } from '@archiefkast/types';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** The address of every picture, and the word in every text. */
const ADDRESS = 'https://pictures.test/odd.jpg';
const WORD = 'Oddity';

const uuid = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
const file = (id: number) => ({ id, uuid: uuid(id), url: ADDRESS, filetype: 'image' });
const texts = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, WORD]));

const BUNDLE = {
  person: [1, 2].map((id) => ({
    ...{ id, uuid: uuid(id), ...texts('last_name', 'title_nl', 'summary_nl', 'content_nl') },
    ...{ image: file(id + 10), files: [file(id + 20)], subjects: [uuid(3)] },
  })),
  subject: [{ id: 3, uuid: uuid(3), ...texts('name_nl', 'description_nl'), image: file(31) }],
  location: [{ id: 4, uuid: uuid(4), ...texts('name_nl', 'content_nl'), main_image: file(41) }],
  event: [
    {
      ...{ id: 5, uuid: uuid(5), ...texts('name_nl', 'content_nl'), date: '1650-01-01' },
      ...{ persons: [uuid(1)], location: uuid(4), main_image: file(51) },
    },
  ],
};
const ARCHIVE = { title: { nl: WORD, en: WORD }, logo: ADDRESS };

const PAGES = LANGUAGES.flatMap((language) =>
  [
    '',
    'zoeken/',
    'zoeken/?q=kind:person',
    'docs',
    ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`),
    'feed.atom',
  ].map((path) => `/${language}/${path}`),
);
const RECORD_PAGES = [
  `/en/personen/${uuid(1)}/`,
  `/en/onderwerpen/${uuid(3)}/`,
  `/nl/locaties/${uuid(4)}/`,
  `/nl/gebeurtenissen/${uuid(5)}/`,
];

describe('an edition with records that no publish accepts', () => {
  let database: TestDatabase;
  let server: ApiServer | undefined;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterEach(() => server?.stop());

  /** Publishes the bundle, replaces a text in the rows of its records, and serves it. */
  async function serveWith(plain: string, odd: string): Promise<ApiServer['fetch']> {
    const bundle = await writeBundle(join(database.folder, 'bundle'), BUNDLE);
    await writeFile(join(bundle, 'archive.json'), JSON.stringify(ARCHIVE));
    await publishHere(database, bundle);
    const open = openDatabase(database);
    await open('texts').update({ text: open.raw('REPLACE(text, ?, ?)', [plain, odd]) });
    await open('editions').update({ archive: open.raw('REPLACE(archive, ?, ?)', [plain, odd]) });
    await open.destroy();
    await rm(join(database.folder, 'derived'), { recursive: true });
    const started = await serveDatabase(database);
    server = started;
    const search = async () => (await started.fetch('/en/api/search')).status;
    await expect.poll(search, { timeout: 20_000 }).toBe(200);
    return started.fetch;
  }

  async function textsOf(fetch: ApiServer['fetch'], paths: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const path of paths) {
      const answer = await fetch(path);
      expect(answer.status, path).toBe(200);
      found.push(await answer.text());
    }
    return found;
  }

  test('shows records with invalid pictures without them', async () => {
    const fetch = await serveWith(ADDRESS, 'http:foo.jpg');
    const lists = await textsOf(fetch, [...PAGES, '/sitemap.xml', '/sitemap-persons-1.xml']);
    expect(lists.join('').match(/Oddity/g)?.length).toBeGreaterThan(40);
    for (const page of await textsOf(fetch, RECORD_PAGES)) {
      expect(page).toContain(WORD);
      expect(page).not.toMatch(/<figure|og:image|"image":/);
    }
    const { results } = await (await fetch('/en/api/persons')).json();
    expect(results[0].image.url).toBe('http:foo.jpg');
  });

  test('works without an invalid record', async () => {
    const fetch = await serveWith('{"id":1,', '{"id":"one",');
    const feed = (await textsOf(fetch, PAGES)).at(-1) ?? '';
    expect(feed).not.toContain(uuid(1));
    for (const other of [2, 3, 4, 5]) expect(feed).toContain(uuid(other));
    expect((await fetch(RECORD_PAGES[0] ?? '')).status).toBe(500);
  });
});
