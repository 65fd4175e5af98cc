import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';

/** Enough records for an index that takes seconds to build. */
const RECORDS = 20_000;

/** How long a search waits for an index, and a margin for a busy machine, in milliseconds. */
const AT_MOST = 1_000 + 3_000;

describeEngines('on %s', (engine) => {
  test('a search of a large kept edition without an index is 503 after a second', async () => {
    const database = await createTestDatabase(engine);
    await publishBundle(database, await makeBundle(database.folder, { records: RECORDS, seed: 1 }));
    await publishBundle(database, await makeBundle(database.folder, { records: 200, seed: 2 }));
    const derived = join(database.folder, 'derived');
    for (const name of await readdir(derived, { recursive: true })) {
      if (name.endsWith('.sqlite')) await rm(join(derived, name));
    }
    const server = await serveDatabase(database);
    const search = () => server.fetch('/en/api/search?q=last_name:a&edition=1');
    await expect.poll(async () => (await server.fetch('/en/api/search?q=a')).status).toBe(200);

    const began = performance.now();
    const first = await search();
    expect(performance.now() - began).toBeLessThan(AT_MOST);
    expect(first.status).toBe(503);
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await first.json()).toMatchObject({ type: expect.stringMatching(/\/search-unavailable$/) });
    expect((await server.fetch('/en/api/persons?edition=1')).status).toBe(200);

    await expect.poll(async () => (await search()).status, { timeout: 60_000, interval: 500 }).toBe(200);
    await server.stop();
    await database.drop();
  });
});
