import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  publishBundle,
  type Running,
  runApi,
  settingsFor,
  startProcess,
  untilAnswer,
} from '../../support/api-process.ts';
import { FIXTURE, writeBundle, writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { freePort } from '../../support/free-port.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const WORKERS = 2;
const MARK = 'Zwanenzang';
const NEW = { id: 77_000, uuid: uuidOf('person', 77_000), last_name: MARK, title_nl: MARK, title_en: MARK };

/** Resources that might reveal a held edition to clients without its key. */
const PATHS = [
  '/en/api/persons?edition=2',
  '/en/api/persons?edition=2&page=3',
  `/nl/api/persons/${NEW.uuid}?edition=2`,
  '/en/api/dump/persons.jsonl?edition=2',
  '/en/api/dump/manifest.json?edition=2',
  '/en/api/locations.geojson?edition=2',
  '/en/api/suggest?edition=2&prefix=zwanen',
  '/en/api/facets?edition=2',
  '/en/api/search?edition=2&q=zwanenzang',
  '/en/personen/?edition=2',
  '/en/?edition=2',
  '/api/changes?since=1',
  '/api/changes?since=2',
  '/en/api/changes.jsonl?since=1',
  '/en/api/changes.jsonl?since=2&edition=1',
  '/api/editions',
  '/api/dump/manifest.json',
  '/en/api',
  '/en/api/search?q=zwanenzang',
  `/en/personen/${NEW.uuid}/`,
  '/en/feed.atom',
  '/sitemap/persons-1.xml',
  '/en/docs',
];

describeEngines(`a held edition, behind ${WORKERS} workers (%s)`, (engine) => {
  let database: TestDatabase;
  let running: Running;
  let origin: string;
  let second: string;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    await publishBundle(database, await writeFixture(join(database.folder, 'first')));
    const lines = { ...FIXTURE, person: [...FIXTURE.person, NEW] };
    second = await writeBundle(join(database.folder, 'second'), lines);
    const [port, adminPort] = [String(await freePort()), String(await freePort())];
    origin = `http://127.0.0.1:${port}`;
    const settings = settingsFor(database, { PORT: port, ADMIN_PORT: adminPort, BASE_URL: origin });
    running = startProcess(['serve', '--workers', String(WORKERS)], settings);
    await untilAnswer(running, `http://127.0.0.1:${adminPort}/ready`);
  });
  afterAll(async () => {
    running?.kill('SIGTERM');
    await running?.ended;
    await database?.drop();
  });

  /** Requests a path over a new connection, so that any worker may respond. */
  const ask = async (path: string) => {
    const response = await fetch(origin + path, { headers: { Connection: 'close' } });
    const { status, headers } = response;
    return { path, status, headers, body: await response.text() };
  };
  /** Requests a path again for as long as the server is busy: the others may keep its search thread occupied. */
  const askPatiently = async (path: string) => {
    let response = await ask(path);
    while (response.status === 503) response = await ask(path);
    return response;
  };
  /** Requests all resources that might reveal it, with three clients, until stopped. */
  const spy = () => {
    const found = new Set<string>();
    let asked = 0;
    let isDone = false;
    const look = async () => {
      while (!isDone) {
        for (const path of PATHS) {
          const { status, headers, body } = await ask(path);
          asked += 1;
          const isOfIt = path.includes('edition=2') && status === 200;
          const tells =
            body.includes(MARK) || headers.get('archive-edition') === '2' || /"id":2,"key"/.test(body);
          if (isOfIt || tells) found.add(`${path}: ${status}`);
        }
      }
    };
    const readers = [look(), look(), look()];
    return {
      found,
      async stop() {
        isDone = true;
        await Promise.all(readers);
        return asked;
      },
    };
  };
  const everyWorker = async (path: string, status: number) => {
    await expect
      .poll(
        async () =>
          new Set(await Promise.all(Array.from({ length: 12 }, async () => (await ask(path)).status))),
        {
          timeout: 10_000,
        },
      )
      .toEqual(new Set([status]));
  };

  test('is not revealed between its publish and its switch, while it is read by its key', async () => {
    const spies = spy();
    onTestFinished(async () => void (await spies.stop()));
    const args = ['publish', second, '--hold', '--keep', '3'];
    const { stdout } = await runApi(args, settingsFor(database, { BASE_URL: origin }));
    const [, key = ''] = /\?edition=([0-9a-f-]{36})\n$/.exec(stdout) ?? [];
    for (let times = 0; times < 40; times += 1) {
      for (const path of [
        '/en/api/persons',
        '/en/personen/',
        '/en/api/dump/persons.jsonl',
        '/en/api/facets',
      ]) {
        const { status, headers, body } = await askPatiently(`${path}?edition=${key}`);
        expect({ status, cache: headers.get('cache-control') }).toEqual({
          status: 200,
          cache: 'private, no-store',
        });
        if (path.endsWith('jsonl') || path.endsWith('/personen/')) expect(body).toContain(MARK);
      }
    }
    expect(await spies.stop()).toBeGreaterThan(PATHS.length);
    expect([...spies.found]).toEqual([]);

    // A later edition is served: its number lies in the past, and is still unknown.
    await publishBundle(database, join(database.folder, 'first'), ['--force', '--keep', '3']);
    await everyWorker('/en/api/persons?edition=3', 200);
    expect(await ask('/en/api/persons?edition=2')).toMatchObject({ status: 410 });
    expect((await ask('/api/editions')).body).not.toContain('"id":2');
    expect(await ask(`/en/personen/${NEW.uuid}/?edition=${key}`)).toMatchObject({ status: 200 });
  });
});
