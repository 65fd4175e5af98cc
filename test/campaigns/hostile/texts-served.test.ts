import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor, startProcess } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { HTML_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES } from './text-shapes.ts';

/** The time limits of a response, and of stopping a program, in milliseconds. */
const MOST = 10_000;

/** The length of each text: in quadratic time, reading one takes minutes. */
const LENGTH = 200_000;

/** A person with a text of each shape, and a shorter one in its title. */
const PERSONS = Object.entries({ ...HTML_SHAPES, ...TEXT_SHAPES }).map(([name, shape], place) => ({
  name,
  line: {
    id: place + 1,
    uuid: uuidOf('person', place + 1),
    title_nl: `Persoon ${shape(LENGTH / 10)}`.toWellFormed(),
    content_nl: shape(LENGTH).toWellFormed(),
  },
}));
const LINES = PERSONS.map(({ line }) => line);

describe('an archive of hostile texts', () => {
  let database: TestDatabase;
  let api: ApiServer;
  let said: string;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    const bundle = await writeBundle(join(database.folder, 'bundle'), { person: LINES });
    said = (await publishBundle(database, bundle)).stderr;
    api = await serveDatabase(database);
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

  test.each(PERSONS)(
    'the page of a person is served, and so is the unchanged text: $name',
    async ({ line }) => {
      const page = await ask(`/nl/personen/${line.uuid}/`);
      expect([page.status, page.took < MOST]).toEqual([200, true]);
      const record = await ask(`/nl/api/persons/${line.uuid}`);
      expect(JSON.parse(record.body).content_nl).toBe(line.content_nl);
    },
  );

  test('search, a dump (in time proportional to the texts) and the manifest are served', {
    timeout: 120_000,
  }, async () => {
    const found = await ask('/nl/zoeken/?q=persoon');
    expect([found.status, found.took < MOST]).toEqual([200, true]);
    const dump = await ask('/nl/api/dump/persons.csv');
    expect([dump.status, dump.took < 2 * MOST]).toEqual([200, true]);
    expect(dump.body.length).toBeLessThan(3 * LENGTH * LINES.length);
    expect((await ask('/nl/api/dump/manifest.json')).status).toBe(200);
  });
});

test('check stops on a signal', { timeout: 120_000 }, async () => {
  const database = await createTestDatabase('sqlite');
  const person = Array.from({ length: 5 * LINES.length }, (_, place) => ({
    ...LINES[place % LINES.length],
    id: place + 1,
    uuid: uuidOf('person', place + 1),
  }));
  const bundle = await writeBundle(join(database.folder, 'bundle'), { person });
  const running = startProcess(['check', bundle], settingsFor(database));
  await wait(1_000);
  const told = performance.now();
  running.kill('SIGINT');
  await running.ended;
  expect(performance.now() - told).toBeLessThan(MOST);
});

test('tables with Markdown of any shape are checked in time', async () => {
  const database = await createTestDatabase('sqlite');
  const tables = join(database.folder, 'tables');
  await mkdir(tables);
  const rows = Object.values(MARKDOWN_SHAPES).map((shape, place) => {
    const text = shape(90_000).replaceAll('"', '""');
    return `${place + 1},${uuidOf('person', place + 1)},Persoon,"${text}"\n`;
  });
  await writeFile(join(tables, 'persons.csv'), `id,uuid,title_nl,content_nl_markdown\n${rows.join('')}`);
  for (const name of ['subjects', 'locations', 'events'])
    await writeFile(join(tables, `${name}.csv`), 'id\n');
  const started = performance.now();
  const { code, stdout, stderr } = await runApi(['check', tables], settingsFor(database));
  expect(performance.now() - started).toBeLessThan(4 * MOST);
  expect(code, stdout + stderr).toBe(1);
  expect(stderr).toContain('persons.csv:2: content_nl_markdown: has more than 4,000 "["');
});
