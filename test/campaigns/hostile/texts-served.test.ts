import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishBundle, settingsFor, startProcess } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';
import { personOf, TEXTS, UUIDS } from './attacks.ts';

/** The time limits of a response, and of stopping a program, in milliseconds. */
const MOST = 10_000;

describeEngines('an archive of hostile texts (%s)', (engine) => {
  let database: TestDatabase;
  let api: ApiServer;
  let said: string;
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const bundle = await writeBundle(join(database.folder, 'bundle'), { person: UUIDS.map(personOf) });
    said = (await publishBundle(database, bundle)).stderr;
    api = await serveDatabase(database);
  });
  afterAll(async () => {
    await api?.stop();
    await database?.drop();
  });

  const ask = async (path: string) => {
    const started = performance.now();
    const response = await api.fetch(path);
    const body = await response.text();
    return { status: response.status, body, took: performance.now() - started };
  };

  test('publish lists the fields that pages show as plain text', () => {
    expect(said).toContain(
      'persons.jsonl:1: content_nl: has more than 20,000 tags: pages show it as plain text',
    );
  });

  test('every page is served, and so is the unchanged text', { timeout: 120_000 }, async () => {
    for (const [place, uuid] of UUIDS.entries()) {
      const page = await ask(`/nl/personen/${uuid}/`);
      expect([place, page.status, page.took < MOST]).toEqual([place, 200, true]);
      const record = await ask(`/nl/api/persons/${uuid}`);
      expect(JSON.parse(record.body).content_nl).toBe(TEXTS[place]);
    }
  });

  test('search, a dump (in time proportional to the texts) and the manifest are served', {
    timeout: 120_000,
  }, async () => {
    const found = await ask('/nl/zoeken/?q=persoon');
    expect([found.status, found.took < MOST]).toEqual([200, true]);
    const dump = await ask('/nl/api/dump/persons.csv');
    expect([dump.status, dump.took < 2 * MOST]).toEqual([200, true]);
    expect(dump.body.length).toBeLessThan(3 * TEXTS.join('').length);
    expect((await ask('/nl/api/dump/manifest.json')).status).toBe(200);
  });
});

test('check stops on a signal', { timeout: 120_000 }, async () => {
  const database = await createTestDatabase('sqlite');
  const person = Array.from({ length: 10 * TEXTS.length }, (_, place) =>
    personOf(`00000000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`, place),
  );
  const bundle = await writeBundle(join(database.folder, 'bundle'), { person });
  const running = startProcess(['check', bundle], settingsFor(database));
  await wait(1_000);
  const told = performance.now();
  running.kill('SIGINT');
  await running.ended;
  expect(performance.now() - told).toBeLessThan(MOST);
  await database.drop();
});
