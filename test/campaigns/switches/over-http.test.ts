import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, BASE_URL, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { send } from '../../support/send.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import type { Page } from '../../support/walk.ts';

let folder: string;
const bundles: string[] = [];
beforeAll(async () => {
  folder = await temporaryFolder();
  for (const seed of [1, 2, 3]) bundles.push(await makeBundle(folder, { records: 300, seed }));
});

interface Walked {
  editions: Set<string>;
  uuids: string[];
  counts: Set<number>;
}

describeEngines('editions over HTTP (%s)', (engine) => {
  let database: TestDatabase;
  let server: ApiServer;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await publish(1);
    server = await serveDatabase(database);
  });
  afterEach(async () => {
    await server?.stop();
  });

  const publish = async (number: 1 | 2 | 3, ...args: string[]) => {
    await publishBundle(database, bundles[number - 1] ?? '', args);
  };
  const get = (path: string, headers: Record<string, string> = {}) => send(server.origin + path, headers);
  const walk = async (path: string, onPage: () => Promise<unknown> = async () => {}): Promise<Walked> => {
    const walked: Walked = { editions: new Set(), uuids: [], counts: new Set() };
    for (let link: string | null = BASE_URL + path; link !== null; ) {
      const { status, headers, body } = await get(link.slice(BASE_URL.length));
      expect(status, `${link}: ${body.toString().slice(0, 300)}`).toBe(200);
      const page: Page = JSON.parse(body.toString());
      walked.editions.add(String(headers['archive-edition']));
      walked.counts.add(page.count);
      walked.uuids.push(...page.results.map(({ uuid }) => String(uuid)));
      link = page.next;
      await onPage();
    }
    return walked;
  };

  test('a walk pinned to an edition stays in it while others are published', async () => {
    const whole = await walk('/en/api/events');
    let published = false;
    const pinned = await walk('/en/api/events?edition=1', async () => {
      if (published) return;
      published = true;
      await publish(2);
      await untilServed(server, 2);
    });
    expect(pinned.uuids).toEqual(whole.uuids);
    expect([...pinned.editions]).toEqual(['1']);
    const now = await walk('/en/api/events');
    expect([...now.editions]).toEqual(['2']);
    expect(now.uuids).not.toEqual(whole.uuids);
    const search = await walk('/nl/api/search?edition=1&q=name:e');
    expect([...search.editions]).toEqual(['1']);
  });

  test('an edition that is no longer kept is gone, an unknown one is not found', async () => {
    const before = await get('/en/api/persons?edition=1');
    await publish(2);
    await publish(3);
    await untilServed(server, 3);
    await expect.poll(async () => (await get('/en/api/persons?edition=1')).status).toBe(410);
    for (const headers of [{}, { 'If-None-Match': String(before.headers.etag) }, { 'If-None-Match': '*' }]) {
      const gone = await get('/nl/api/persons?edition=1', headers);
      expect(gone.status).toBe(410);
      expect(JSON.parse(gone.body.toString())).toEqual({
        type: `${BASE_URL}/problems/edition-gone`,
        title: 'Editie verdwenen',
        status: 410,
        detail: 'Edition 1 is no longer kept.',
        expected: 'one of the kept editions: 3, 2',
        editions: [3, 2],
      });
    }
    expect((await get('/en/api/persons?edition=1')).status).toBe(410);
    const never = await get('/en/api/persons?edition=9');
    expect(never.status).toBe(404);
    expect(JSON.parse(never.body.toString())).toMatchObject({ editions: [3, 2] });
    for (const nonsense of ['0', 'x', '1.5', '-1', '9999999999']) {
      const answer = await get(`/en/api/persons?edition=${nonsense}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body.toString()).detail).toBe(`Invalid edition "${nonsense}".`);
    }
    expect((await get('/en/api/persons?edition=2')).headers['archive-edition']).toBe('2');
  });

  test('after a rollback, tags of the previous edition do not match', async () => {
    const one = (await get('/en/api/persons')).headers;
    await publish(2);
    await untilServed(server, 2);
    const two = (await get('/en/api/persons')).headers;
    expect(two['last-modified']).not.toBe(one['last-modified']);
    expect(two.etag).not.toBe(one.etag);
    expect((await runApi(['rollback'], settingsFor(database))).code).toBe(0);
    while ((await get('/en/api/persons')).headers['archive-edition'] !== '1');
    const since = { 'If-Modified-Since': String(two['last-modified']) };
    expect((await get('/en/api/persons', since)).status).toBe(200);
    expect((await get('/en/api/persons', { 'If-None-Match': String(two.etag) })).status).toBe(200);
    expect((await get('/en/api/persons', { 'If-None-Match': String(one.etag) })).status).toBe(304);
  });
});
