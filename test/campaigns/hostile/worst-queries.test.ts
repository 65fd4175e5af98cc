import { beforeAll, describe, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { WORST_QUERIES } from '../../support/worst-queries.ts';

/** The longest query that is taken, in characters. */
const LENGTH = 1_000;

/** Requests for each query: chance makes all but the fastest slower. */
const REQUESTS = 40;

/** The time limits of the response to an invalid query, which only the main thread reads, and of /health beside it, in milliseconds. */
const MOST = 20;
const MOST_HEALTH = 100;

describe('the queries that cost most to read', () => {
  let api: ApiServer;
  beforeAll(async () => {
    const database = await createTestDatabase('sqlite');
    await publishBundle(database, await makeBundle(database.folder, { records: 500, seed: 3 }));
    api = await serveDatabase(database);
  });

  const ask = async (path: string) => {
    const start = performance.now();
    const response = await api.fetch(path);
    await response.arrayBuffer();
    return { status: response.status, took: performance.now() - start };
  };

  test.each(Object.entries(WORST_QUERIES))('%s', async (_, write) => {
    const path = `/en/api/search?q=${encodeURIComponent(write(LENGTH))}`;
    const times: number[] = [];
    const health: number[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const [{ status, took }, beside] = await Promise.all([ask(path), ask('/health')]);
      expect([200, 400]).toContain(status);
      times.push(status === 400 ? took : 0);
      health.push(beside.took);
    }
    expect(Math.min(...times)).toBeLessThan(MOST);
    expect(Math.min(...health)).toBeLessThan(MOST_HEALTH);
  });
});
