import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const OTHER_CLEANER = fileURLToPath(new URL('../support/other-cleaner.ts', import.meta.url));

/** The limit of the cache in bytes, and the characters of a long text, of which it has room for seven. */
const LIMIT = 16 * 2 ** 20;
const LONG = 1_100_000;
const TEXTS = ['<p>Een <mark>kort</mark> stuk.</p>', ...Array(9).fill(`<p>${'a'.repeat(LONG)}</p>`)];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('sqlite');
  const person = TEXTS.map((content_nl, index) => ({
    ...{ id: index + 1, uuid: uuidOf('person', index + 1), last_name: 'Vos', title_nl: 'Vos', content_nl },
  }));
  await publishHere(database, await writeBundle(join(await temporaryFolder(), 'bundle'), { person }));
});

/** Serves without cached responses. */
const serve = (settings: Record<string, string> = {}) =>
  serveDatabase(database, { CACHE_MB: '0', ...settings });

const readPage = async (server: ApiServer, id: number) =>
  await (await server.fetch(`/nl/personen/${uuidOf('person', id)}/`)).text();

/** Memory of the clean texts in the cache, in bytes. */
const cachedBytes = async (server: ApiServer) =>
  Number(
    /^archive_cache_bytes\{cache="texts"\} (\d+)/m.exec(await (await server.admin('/metrics')).text())?.[1],
  );

test('a text is cleaned once, and not cached beyond the limit', async () => {
  const server = await serve();
  expect(await cachedBytes(server)).toBe(0);
  const first = await readPage(server, 2);
  const bytes = await cachedBytes(server);
  expect(bytes).toBeGreaterThan(2 * LONG);
  expect(bytes).toBeLessThan(2 * LONG + 1_000);
  expect(await readPage(server, 2)).toBe(first);
  expect(await cachedBytes(server)).toBe(bytes);
  for (const id of TEXTS.keys()) await readPage(server, id + 1);
  expect(await cachedBytes(server)).toBeGreaterThan(6 * bytes);
  expect(await cachedBytes(server)).toBeLessThanOrEqual(LIMIT);
  expect(await readPage(server, 2)).toBe(first);
  await server.stop();
});

test('another cleaner acts on the next request after a restart', async () => {
  const before = await serve();
  expect(await readPage(before, 1)).toContain('<p>Een kort stuk.</p>');
  await before.stop();
  const after = await serve({ NODE_OPTIONS: `--import=${OTHER_CLEANER}` });
  expect(await readPage(after, 1)).toContain('<p>Een <mark>kort</mark> stuk.</p>');
  await after.stop();
});
