import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { describeEngines } from '../../support/test-database.ts';

const SETTINGS = { MAX_REQUESTS: '1', MAX_DOWNLOADS: '1', CACHE_MB: '16' };

/** More than the limit of queued requests. */
const REQUESTS = 1_500;

describeEngines('overload (%s)', (engine) => {
  let folder: string;
  let archive: TestArchive;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-overload-'));
    archive = await startApi({
      engine,
      bundle: await makeBundle(folder, { records: 3_000, seed: 1 }),
      settings: SETTINGS,
    });
  });
  afterAll(async () => {
    await archive?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('gets 503 with Retry-After; cached responses are still sent', async () => {
    const hot = '/en/api/persons';
    expect((await archive.fetch(hot)).status).toBe(200);
    // Slow enough for the others to arrive meanwhile.
    const slow = archive.fetch('/en/api/dump/manifest.json');
    const cold = Array.from({ length: REQUESTS }, () => archive.fetch(`/en/api/persons/${randomUUID()}`));
    const answers = await Promise.all([...cold, archive.fetch(hot)]);
    expect(answers.pop()?.status).toBe(200);
    const refused = answers.filter(({ status }) => status === 503);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 503]));
    expect(await refused[0]?.json()).toMatchObject({ type: `${archive.baseUrl}/problems/overloaded` });
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await (await slow).text();
    expect((await archive.fetch('/en/api/events?page=2')).status).toBe(200);
  });

  test('downloads have a separate limit, and free their slot when they end or are cut', async () => {
    const path = '/en/api/dump/events.jsonl';
    const first = await archive.fetch(path);
    expect((await archive.fetch(path)).status).toBe(503);
    expect((await archive.fetch('/en/api/subjects?page=2')).status).toBe(200);
    await first.body?.cancel();
    await expect.poll(async () => (await archive.fetch(path, { method: 'HEAD' })).status).toBe(200);
    expect((await (await archive.fetch(path)).text()).length).toBeGreaterThan(0);
    expect((await archive.fetch(path, { method: 'HEAD' })).status).toBe(200);
  });
});
