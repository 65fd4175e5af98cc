import { readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { envelopeSchema } from '@archiefkast/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** Number of concurrent requests. */
const AT_ONCE = 8;

const SEARCH = '/en/api/search?q=e';
const LIST = '/nl/api/events';

describe('a search index that is deleted while it is served', () => {
  let home: TestDatabase;
  let archive: TestArchive;
  beforeEach(async () => {
    home = await createTestDatabase('sqlite');
    archive = await startApi({
      engine: 'sqlite',
      bundle: await writeFixture(join(home.folder, 'bundle')),
      // Without a cache, so that every request is handled.
      settings: { CACHE_MB: '0' },
    });
  });
  afterEach(async () => {
    await archive?.stop();
    await home?.drop();
  });

  const folder = async () => {
    const derived = join(archive.database.folder, 'derived');
    const [name = ''] = await readdir(derived);
    return join(derived, name);
  };
  const indexFile = async () => {
    const names = await readdir(await folder());
    return join(await folder(), names.find((name) => name.endsWith('.sqlite')) ?? '');
  };

  /** Sends requests until stopped. Returns the responses by path: status, and the problem of a 503. */
  const load = () => {
    const seen = new Map<string, Set<string>>([
      [SEARCH, new Set()],
      [LIST, new Set()],
    ]);
    let stopped = false;
    let turn = 0;
    const work = async () => {
      while (!stopped) {
        turn += 1;
        // A different search each time, so that the thread has to run it.
        const path = turn % 2 === 0 ? LIST : SEARCH;
        const response = await archive.fetch(path === SEARCH ? SEARCH.replace('=e', `=e ${turn}`) : LIST);
        const { type = '' } = z.looseObject({ type: z.string().optional() }).parse(await response.json());
        const after = response.headers.get('Retry-After') ?? '';
        seen.get(path)?.add(`${response.status} ${type.split('/').at(-1)} ${after}`.trim());
      }
    };
    const working = Promise.all(Array.from({ length: AT_ONCE }, work));
    return async () => {
      stopped = true;
      await working;
      return { searches: [...(seen.get(SEARCH) ?? [])], lists: [...(seen.get(LIST) ?? [])] };
    };
  };
  const count = async () =>
    envelopeSchema(z.unknown()).parse(await (await archive.fetch(SEARCH)).json()).count;
  let asked = 0;
  /** The status of an uncached search. */
  const status = async () => {
    asked += 1;
    return (await archive.fetch(`/en/api/search?q=looked%20up%20${asked}`)).status;
  };

  test('is built again without a restart, truncated or deleted under load; lists still work', {
    timeout: 60_000,
  }, async () => {
    const before = await count();
    expect(before).toBeGreaterThan(0);
    const stop = load();
    const { ino } = await stat(await indexFile());
    await truncate(await indexFile(), 4_096);
    const isAnew = async () => (await stat(await indexFile())).ino !== ino && (await status()) === 200;
    await expect.poll(isAnew, { timeout: 20_000 }).toBe(true);
    await rm(await indexFile());
    // The thread keeps the deleted file open until it restarts; then there is none.
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    expect(await count()).toBe(before);
    const { searches, lists } = await stop();
    expect(lists).toEqual(['200']);
    expect(searches).toContain('200');
    expect(searches.filter((each) => !/^(200|503 search-(unavailable|timeout|busy) 1)$/.test(each))).toEqual(
      [],
    );
  });

  test('is retried while it cannot be built, and logged a few times only', {
    timeout: 60_000,
  }, async () => {
    const found = await count();
    const own = await folder();
    await truncate(await indexFile(), 0);
    await rename(own, `${own}.away`);
    await writeFile(own, 'in the way');
    await expect.poll(status, { timeout: 20_000 }).toBe(503);
    const logged = () => archive.process.stderr().match(/EEXIST|ENOTDIR/g)?.length ?? 0;
    await expect.poll(logged, { timeout: 20_000 }).toBeGreaterThan(0);
    const before = logged();
    for (let more = 0; more < 20; more += 1) expect(await status()).toBe(503);
    expect(logged() - before).toBeLessThan(10);
    expect((await archive.fetch(LIST)).status).toBe(200);
    await rm(own);
    await expect.poll(status, { timeout: 30_000 }).toBe(200);
    expect(await count()).toBe(found);
  });
});
