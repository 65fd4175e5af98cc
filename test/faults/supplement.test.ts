import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type TestContext, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import type { ApiServer } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../support/spoiled-archive.ts';
import { ENGINES } from '../support/test-database.ts';
import { startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';
import { serveBundle } from './serve-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A timeout for tests that publish several times. */
const LONG = { timeout: 120_000 };

const uuid = (last: number) => `3f1d2c4b-5a69-4788-9b0c-1d2e3f4051${String(last).padStart(2, '0')}`;
const [ANNA, TRADE, SHIPS, WHARF] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const [OPENING, JOURNEY, HIDDEN] = [uuid(5), uuid(6), uuid(7)];

/** Events with subjects: at a location, without one, and at one that is not published; and dates without a day. */
const BUNDLE = {
  person: [{ id: 1, uuid: ANNA, title_nl: 'Anna', birth_date: 'c. 1850', death_date: '1903-11-02' }],
  subject: [
    { id: 1, uuid: TRADE, name_nl: 'Handel' },
    { id: 2, uuid: SHIPS, name_nl: 'Schepen' },
    { id: 3, uuid: uuid(8), name_nl: 'Verborgen', published: false },
  ],
  location: [
    { id: 1, uuid: WHARF, name_nl: 'Werf' },
    { id: 2, uuid: uuid(9), name_nl: 'Weg', published: false },
  ],
  event: [
    { id: 1, uuid: OPENING, name_nl: 'Opening', location: WHARF, subjects: [TRADE], date: '1871-03' },
    { id: 2, uuid: JOURNEY, name_nl: 'Reis', subjects: [SHIPS, uuid(8), TRADE], persons: [ANNA] },
    { id: 3, uuid: HIDDEN, name_nl: 'Vertrek', location: uuid(9), subjects: [SHIPS], date_start: '187X' },
  ],
};

const SUPPLEMENT = [
  { kind: 'person', id: 1, uuid: ANNA, dates: { birth_date: '1850~' } },
  { kind: 'event', id: 1, uuid: OPENING, dates: { date: '1871-03' } },
  { kind: 'event', id: 2, uuid: JOURNEY, subjects: [SHIPS, TRADE] },
  { kind: 'event', id: 3, uuid: HIDDEN, dates: { date_start: '187X' }, subjects: [SHIPS] },
];

async function serve(context: TestContext, engine: (typeof ENGINES)[number], description: object | null) {
  const bundle = await writeBundle(join(await temporaryFolder(context), 'bundle'), BUNDLE);
  if (description) await writeFile(join(bundle, 'archive.json'), JSON.stringify(description));
  return serveBundle(context, engine, bundle);
}

const DESCRIPTION = { title: { nl: 'Proef', en: 'Test' }, partial_dates: 'first-day' };

/** What readers see of the archive: answers, hits and pages. */
async function seen({ fetch, baseUrl }: ApiServer): Promise<Record<string, string>> {
  const paths = [
    ...['/en/api/persons', '/en/api/events', '/nl/api/locations', '/en/api/dump/supplement.jsonl'],
    ...[SHIPS, TRADE].map((subject) => `/en/api/search?q=kind:event%20subject:${subject}`),
    ...[`/en/personen/${ANNA}/`, `/nl/gebeurtenissen/${JOURNEY}/`, `/en/gebeurtenissen/${HIDDEN}/`],
    ...[`/nl/onderwerpen/${SHIPS}/`, '/en/gebeurtenissen/', '/en/zoeken/?q=kind%3Aevent'],
  ];
  const pages: Record<string, string> = {};
  for (const path of paths) {
    const text = await (await fetch(path)).text();
    pages[path] = text.replaceAll(baseUrl, '').replaceAll(/\(\d{4}-\d\d-\d\d\)|, \d{4}-\d\d-\d\d/g, '');
  }
  return pages;
}

test.for(ENGINES)('a harvest from %s gives the same answers and pages', LONG, async (engine, context) => {
  const original = await serve(context, engine, DESCRIPTION);
  const expected = await seen(original);
  expect(expected['/en/api/dump/supplement.jsonl']).toBe(
    SUPPLEMENT.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  expect(JSON.parse(expected[`/en/api/search?q=kind:event%20subject:${SHIPS}`] ?? '').count).toBe(2);
  expect(expected[`/nl/gebeurtenissen/${JOURNEY}/`]).toContain('Schepen');

  const folder = await temporaryFolder(context);
  const formats = ['--format', 'jsonl,tables,tables.xlsx'];
  const harvest = await runHere(['harvest', '--base-url', original.baseUrl, '--out', folder, ...formats]);
  expect(harvest).toMatchObject({ code: 0, stderr: expect.stringContaining('Every byte matches') });
  expect(harvest.stderr).not.toContain('supplement');
  expect(await runHere(['verify', folder, '--source'])).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(join(folder, 'tables', 'persons.csv'), 'utf8')).toContain('1850~');
  expect((await runHere(['export', folder, '--format', 'csv,sqlite'])).code).toBe(0);
  const csv = await readFile(join(folder, 'events.csv'), 'utf8');
  expect(csv).toBe(await (await original.fetch('/en/api/dump/events.csv')).text());
  expect(csv).toContain(`Schepen|Handel,${SHIPS}|${TRADE}`);
  using database = new DatabaseSync(join(folder, 'archive.sqlite'));
  const links = database.prepare('SELECT event, subject FROM event_subjects ORDER BY event, place').all();
  expect(links.map(({ event, subject }) => [event, subject])).toEqual([
    [OPENING, TRADE],
    [JOURNEY, SHIPS],
    [JOURNEY, TRADE],
    [HIDDEN, SHIPS],
  ]);

  // Lines of records do not describe the archive; that they have days only needs no setting.
  await writeFile(join(folder, 'archive.json'), JSON.stringify({ title: DESCRIPTION.title }));
  for (const bundle of [folder, join(folder, 'tables'), join(folder, 'tables.xlsx')]) {
    const copy = await serveBundle(context, 'sqlite', bundle);
    expect(await seen(copy), bundle).toEqual(expected);
    const again = await temporaryFolder(context);
    expect(await runHere(['harvest', '--base-url', copy.baseUrl, '--out', again])).toMatchObject({ code: 0 });
  }
});

test('tables that cannot say how much of a date is known are warned of', LONG, async (context) => {
  const described = await serve(context, 'sqlite', DESCRIPTION);
  const lines = await temporaryFolder(context);
  const first = ['harvest', '--base-url', described.baseUrl, '--out', lines, '--format', 'jsonl'];
  expect((await runHere(first)).code).toBe(0);
  // A harvest as lines of records has no description of the archive.
  const { baseUrl } = await serveBundle(context, 'sqlite', lines);
  const folder = await temporaryFolder(context);
  const harvest = ['harvest', '--base-url', baseUrl, '--out', folder, '--format', 'tables,tables.xlsx'];
  const { code, stderr } = await runHere(harvest);
  expect(code).toBe(0);
  expect(stderr.split('the tables have the first day of dates of which less is known')).toHaveLength(2);
  expect(await readFile(join(folder, 'tables', 'persons.csv'), 'utf8')).toContain('1850-01-01');
});

/** The same archive, with days for dates, behind a proxy that can spoil answers. */
async function startSpoiled(context: TestContext): Promise<SpoiledArchive> {
  const archive = await startSpoiledArchive(withEvents(BUNDLE.event));
  context.onTestFinished(() => archive.stop());
  return archive;
}

function withEvents(events: readonly object[]) {
  return {
    ...BUNDLE,
    person: BUNDLE.person.map((one) => ({ ...one, birth_date: null })),
    event: events.map((one) => ({ ...one, date: null, date_start: null })),
  };
}

test('an update takes what has changed, and removes what is not there any more', LONG, async (context) => {
  const { baseUrl, database, server, folder } = await startSpoiled(context);
  const out = join(folder, 'harvest');
  const harvest = ['harvest', '--base-url', baseUrl, '--out', out, '--format', 'jsonl'];
  expect((await runHere(harvest)).code).toBe(0);
  const kept = () => readFile(join(out, 'supplement.jsonl'), 'utf8');
  expect(await kept()).toContain(`"uuid":"${JOURNEY}","subjects":["${SHIPS}","${TRADE}"]`);
  const publish = async (edition: number, change: object) => {
    const events = BUNDLE.event.map((event) => ({ ...event, ...change }));
    await publishHere(database, await writeBundle(join(folder, 'bundle'), withEvents(events)));
    const now = async () => (await (await server.fetch('/api/editions')).json()).served;
    await expect.poll(now, { timeout: 30_000 }).toBe(edition);
  };

  await publish(2, { subjects: [TRADE] });
  const update = await runHere(['harvest', '--update', out, '--report', 'csv']);
  expect(update).toMatchObject({ code: 0, stderr: expect.stringContaining(' 2 changed, ') });
  expect(update.stdout).toContain(`changed,event,${JOURNEY},Reis,subjects\r\n`);
  expect(await kept()).toContain(`"uuid":"${JOURNEY}","subjects":["${TRADE}"]`);

  await publish(3, { subjects: [] });
  expect((await runHere(['harvest', '--update', out])).code).toBe(0);
  await expect(access(join(out, 'supplement.jsonl'))).rejects.toThrow('ENOENT');
  expect((await runHere(['verify', out])).code).toBe(0);
});

test('without a supplement, harvest and verify say what may be missing', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const folder = await temporaryFolder(context);
  const says = 'The archive offers no supplement.jsonl: subjects of events without a location may be missing';
  const harvest = await runHere(['harvest', '--base-url', archive.url, '--out', folder]);
  expect(harvest).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
  expect((await runHere(['verify', folder])).stdout).toContain(says);
  const subjects = await temporaryFolder(context);
  const { stderr } = await runHere(['harvest', 'subjects', '--base-url', archive.url, '--out', subjects]);
  expect(stderr).not.toContain('supplement');
});

test('a supplement with other bytes than the manifest names is refused', LONG, async (context) => {
  const { baseUrl, proxy, folder } = await startSpoiled(context);
  const out = join(folder, 'harvest');
  const harvest = ['harvest', '--base-url', baseUrl, '--out', out];
  for (const [found, other, says] of [
    [`"${SHIPS}","${TRADE}"`, `"${TRADE}","${SHIPS}"`, 'expected the bytes with the SHA-256'],
    ['"kind":"event"', '"kind":"thing"', 'expected a supplement'],
  ] as const) {
    proxy.spoil = ({ url, body }) =>
      url.includes('/dump/supplement.jsonl') ? { body: body.replace(found, other) } : undefined;
    const { code, stderr } = await runHere(harvest);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
  }
  proxy.spoil = () => undefined;
  expect((await runHere(harvest)).code).toBe(0);

  const path = join(out, '.journal', 'supplement.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace(TRADE, SHIPS));
  expect(await runHere(['verify', out])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('.journal/supplement.jsonl: its content has changed'),
  });
});
