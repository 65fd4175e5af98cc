import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publishHere } from '../../support/api-here.ts';
import { runApi, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** Enough for a build of seconds. */
const RECORDS = 20_000;

/** Paths that need no search index, with the beginning of their responses. */
const LISTS: readonly [path: string, beginning: string][] = [
  ['/en/api/persons?page=2', '{"next":"'],
  ['/nl/api/events', '{"next":"'],
];
const DUMPS: typeof LISTS = [
  ['/en/api/dump/persons.jsonl', '{"id":'],
  ['/en/api/dump/events.csv', 'uuid,'],
];

const readySchema = z.object({
  ready: z.boolean(),
  reason: z.string().optional(),
  served: z.number().nullable(),
});

async function expectServed({ fetch }: ApiServer, paths: typeof LISTS): Promise<void> {
  for (const [path, beginning] of paths) {
    const response = await fetch(path);
    expect(response.status, path).toBe(200);
    expect((await response.text()).slice(0, beginning.length), path).toBe(beginning);
  }
}

describe('a server without a search index', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    const bundle = await makeBundle(database.folder, { records: RECORDS, seed: 1 });
    await publishHere(database, bundle);
  }, 120_000);

  /** When each derived file was written. */
  const indexTimes = async () => {
    const derived = join(database.folder, 'derived');
    const names = await readdir(derived, { recursive: true });
    return await Promise.all(names.map(async (name) => (await stat(join(derived, name))).mtimeMs));
  };
  const loseIndexes = () => rm(join(database.folder, 'derived'), { recursive: true });
  const start = async () => {
    const server = await serveDatabase(database, {}, { until: LISTS[0]?.[0] ?? '' });
    return { server, ready: async () => readySchema.parse(await (await server.admin('/ready')).json()) };
  };

  test('serves lists, records and dumps at once; search and readiness follow', {
    timeout: 120_000,
  }, async () => {
    await loseIndexes();
    const { server, ready } = await start();
    await expectServed(server, LISTS);
    expect(await ready()).toMatchObject({
      ready: false,
      reason: 'the search index of the served edition is not open',
      served: 1,
    });
    const early = await server.fetch('/en/api/search?q=vries');
    // It waits up to a second for the index.
    if (early.status !== 200) {
      expect(await early.json()).toMatchObject({ type: expect.stringMatching(/search-unavailable$/) });
      expect(early.headers.get('Retry-After')).toBe('1');
    }
    await expectServed(server, DUMPS);
    while (!(await ready()).ready) await sleep(100);
    expect((await server.fetch('/en/api/search?q=vries')).status).toBe(200);
    await server.stop();
  });

  test('can be given one beforehand, by archive-api index', { timeout: 120_000 }, async () => {
    await loseIndexes();
    const index = () => runApi(['index'], settingsFor(database));
    expect(await index()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Edition 1: built the search index, in [\d.]+ s\.\n$/),
      stderr: '',
    });
    expect(await index()).toMatchObject({
      code: 0,
      stdout: 'Edition 1: the search index exists.\n',
      stderr: '',
    });
    const before = await indexTimes();
    const { server, ready } = await start();
    while (!(await ready()).ready) await sleep(100);
    expect((await server.fetch('/en/api/search?q=vries')).status).toBe(200);
    expect(await indexTimes()).toEqual(before);
    await server.stop();
  });
});
