import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { type ApiServer, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const KEPT = 5;
const CLIENTS = 10;
/** Requests of each client. */
const REQUESTS = 6;

/** Requests that arrive at once, more than may wait for an index to open. */
const AT_ONCE = 60;

/** Open indexes: that of the served edition, and two others. */
const MOST_OPEN = 3;

describeEngines('clients of five kept editions (%s)', (engine) => {
  let database: TestDatabase;
  let server: ApiServer;
  let count: number;
  let word = 0;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    const bundle = await makeBundle(join(database.folder, 'bundle'), { records: 300, seed: 1 });
    for (let edition = 1; edition <= KEPT; edition += 1)
      await publishHere(database, bundle, ['--keep', String(KEPT)]);
    server = await serveDatabase(database);
    await untilServed(server, KEPT);
    ({ count } = await (await search()).json());
  });
  afterEach(async () => {
    await server.stop();
    await database.drop();
  });

  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await server.admin('/metrics')).text())?.[1]);
  /** A search that no cache has the response to. */
  const search = (edition?: number) => {
    word += 1;
    return server.fetch(
      `/en/api/search?q=van+OR+word${word}${edition === undefined ? '' : `&edition=${edition}`}`,
    );
  };
  /** Searches an edition. @returns the status, or the name of the problem, once it is clear that it is the right one */
  const ask = async (edition: number): Promise<string> => {
    const response = await search(edition);
    const body = await response.json();
    if (response.status === 200) {
      expect([response.headers.get('archive-edition'), body.count]).toEqual([String(edition), count]);
      return '200';
    }
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    return body.type.split('/').at(-1);
  };
  /** Reads the served edition and the metrics until `work` is done. @returns the most indexes that were open */
  const readBeside = async (work: Promise<unknown>) => {
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    let most = 0;
    while (!isOver) {
      const response = await search();
      expect([response.status, (await response.json()).count]).toEqual([200, count]);
      most = Math.max(most, await metric('archive_search_indexes'));
    }
    await done;
    return most;
  };

  test('few indexes are open, readers of the served one get all answers, and afterwards each edition is read', async () => {
    const answers = new Set<string>();
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let request = 0; request < REQUESTS; request += 1)
        answers.add(await ask(1 + ((client + request) % KEPT)));
    });
    const most = await readBeside(Promise.all(clients));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(MOST_OPEN);
    expect(answers).toContain('200');
    expect(await metric('archive_search_openings_waiting')).toBe(0);
    for (let edition = 1; edition <= KEPT; edition += 1)
      await expect.poll(() => ask(edition), { timeout: 30_000 }).toBe('200');
    expect(await metric('archive_search_indexes')).toBeLessThanOrEqual(MOST_OPEN);
  });

  test('more requests than may wait for an index get 503, and readers of the served one all answers', async () => {
    const asked = Array.from({ length: AT_ONCE }, (_, place) => ask(1 + (place % (KEPT - 1))));
    const most = await readBeside(Promise.all(asked));
    expect(most).toBeLessThanOrEqual(MOST_OPEN);
    expect(await Promise.all(asked)).toContain('overloaded');
    expect(await metric('archive_search_openings_waiting')).toBe(0);
  });
});
