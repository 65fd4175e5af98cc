import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { startApi } from '../support/api-server.ts';
import { FIXTURE, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../support/spoiled-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES } from '../support/test-database.ts';
import { runHere } from './run-here.ts';

/** The archive behind a proxy that can spoil responses. */
let archive: SpoiledArchive;
beforeAll(async () => {
  archive = await startSpoiledArchive(FIXTURE);
});
afterEach(() => {
  archive.proxy.spoil = () => undefined;
  archive.proxy.requests = [];
});

const harvest = async (...options: string[]) => {
  const folder = await temporaryFolder();
  const command = ['harvest', '--base-url', archive.baseUrl, '--out', folder, ...options];
  const file = (name: string) => readFile(join(folder, name), 'utf8');
  return { folder, command, file, ...(await runHere(command)) };
};

const served = async (path: string) => (await archive.server.fetch(path)).text();

/** Replaces a text once in the responses of an address. */
function replace(address: RegExp, found: string | RegExp, other: string): void {
  archive.proxy.spoil = ({ url, body }) =>
    address.test(url) ? { body: body.replace(found, other) } : undefined;
}

const eventRequests = () => archive.proxy.requests.filter((url) => /\/api\/events/.test(url));

test('a harvest asks for abbreviated events, and its lines are their dump', async () => {
  const { code, stderr, file, folder } = await harvest('--format', 'jsonl');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Every byte matches') });
  expect(eventRequests().every((url) => url.includes('events=abbreviated'))).toBe(true);
  expect(await file('events.jsonl')).toBe(await served('/en/api/dump/events.jsonl?events=abbreviated'));
  for (const kind of ['person', 'subject', 'location'] as const)
    expect(await file(`${COLLECTIONS[kind]}.jsonl`)).toBe(
      await served(`/en/api/dump/${COLLECTIONS[kind]}.jsonl`),
    );
  expect((await runHere(['verify', folder, '--source'])).code).toBe(0);
});

test.each([['pages'], ['dumps']])(
  '--full has the dump of full events, from %s, and says its size',
  async (from) => {
    const { code, stderr, file, folder } = await harvest('--format', 'jsonl', '--full', '--from', from);
    expect(code).toBe(0);
    expect(stderr).toMatch(/--full: events\.jsonl has \d+ MB\n/);
    const full = await served('/en/api/dump/events.jsonl');
    expect(await file('events.jsonl')).toBe(full);
    expect((await runHere(['verify', folder])).code).toBe(0);
    expect((await runHere(['harvest', '--update', folder])).code).toBe(0);
    expect(await file('events.jsonl')).toBe(full);
    expect((await runHere(['export', folder, '--format', 'jsonl'])).code).toBe(0);
    expect(await file('events.jsonl')).not.toBe(full);
  },
);

/** What is changed on the way, in which list, from what to what; and the kind whose records then differ. */
const CHANGED: readonly [what: string, list: string, found: string, other: string, kind: string][] = [
  ['a letter of a person', 'persons', 'Christiaan', 'Christiaam', 'persons'],
  ['an event in its location', 'locations', '"date_end":null', '"date_end":"1701-01-01"', 'locations'],
  ['a subject of a location', 'locations', '"parent":null', '"parent":1001', 'locations'],
  ['an event', 'events', '"date_end":null', '"date_end":"1701-01-01"', 'events'],
];
test.each(CHANGED.flatMap((row) => [[...row, 'pages'] as const, [...row, 'dumps'] as const]))(
  'what is changed in %s is found: %s, %s to %s, %s from %s',
  async (_, list, found, other, kind, from) => {
    replace(new RegExp(`/api/(?:dump/)?${list}`), found, other);
    const { code, stderr } = await harvest('--from', from);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${kind}: records 1 to 1000 (block 1) differ from what the archive`),
    });
  },
);

test('an event whose person is missing stops --full, which names both', async () => {
  const { results } = JSON.parse(await served('/en/api/events?events=abbreviated'));
  const person = results.flatMap(({ persons }: { persons: string[] }) => persons)[0];
  const other = `${person.slice(0, -12)}${'0'.repeat(12)}`;
  replace(/\/api\/events/, `"persons":["${person}"`, `"persons":["${other}"`);
  const { code, stderr } = await harvest('--format', 'jsonl', '--full');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`harvest.sqlite has no person ${other}, which an event has`),
  });
});

test('full events in place of abbreviated ones are refused', async () => {
  replace(/\/api\/events/, /"location":"[^"]*"/, '"location":{}');
  const { code, stderr } = await harvest();
  expect(code).toBe(1);
  expect(stderr).toMatch(/results\.\d\.location: expected string, not \{\}/);
});

test('a link that leads to full events is refused', async () => {
  replace(/\/api\/events/, 'events=abbreviated&page=2', 'page=2');
  const { code, stderr } = await harvest();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('does not keep the parameter "events"'),
  });
});

test('an interrupted harvest resumes with abbreviated events', async () => {
  const options = ['--retries', '0', '--format', 'jsonl'];
  archive.proxy.spoil = ({ url }) => (/events.*page=2/.test(url) ? { status: 503 } : undefined);
  const { code, command, file } = await harvest(...options);
  expect(code).toBe(4);
  archive.proxy.spoil = () => undefined;
  archive.proxy.requests = [];
  expect((await runHere(command)).stderr).toContain('Every byte matches');
  expect(eventRequests().map((url) => /page=\d/.exec(url)?.[0])).toEqual([undefined, 'page=2']);
  expect(await file('events.jsonl')).toBe(await served('/en/api/dump/events.jsonl?events=abbreviated'));
});

test('events alone, and those of an archive without abbreviated ones, are full', async () => {
  const alone = await harvest('events', '--format', 'jsonl');
  expect(alone.code).toBe(0);
  const full = await served('/en/api/dump/events.jsonl');
  expect(await alone.file('events.jsonl')).toBe(full);
  replace(/manifest/, 'events-abbreviated', 'others');
  const elsewhere = await harvest('--format', 'jsonl,csv,geojson,sqlite');
  expect(elsewhere).toMatchObject({ code: 0, stderr: expect.stringContaining('Every byte matches') });
  expect(await elsewhere.file('events.jsonl')).toBe(full);
  expect(archive.proxy.requests.some((url) => url.includes('abbreviated'))).toBe(false);

  archive.proxy.spoil = () => undefined;
  const files = ['events.csv', 'persons.csv', 'locations.csv', 'events.geojson', 'archive.sqlite'];
  const read = () => Promise.all(files.map((name) => readFile(join(elsewhere.folder, name), 'latin1')));
  const before = await read();
  const update = ['harvest', '--update', elsewhere.folder, '--report', 'csv'];
  expect(await runHere(update)).toMatchObject({
    code: 0,
    stdout: 'change,kind,uuid,title,fields\r\n',
  });
  expect(await read()).toEqual(before);
  expect(await elsewhere.file('events.jsonl')).toBe(
    await served('/en/api/dump/events.jsonl?events=abbreviated'),
  );
});

test('published again, on the other engine, it has the same responses in both forms', async () => {
  const [, engine = 'sqlite'] = ENGINES;
  const { folder, code } = await harvest('--format', 'jsonl', '--lang', 'nl');
  expect(code).toBe(0);
  const copy = await startApi({ engine, bundle: folder, settings: { BASE_URL: archive.baseUrl } });
  const paths = KINDS.map((kind) => `dump/${COLLECTIONS[kind]}.jsonl`);
  for (const path of [...paths, 'dump/events.jsonl?events=abbreviated', 'dump/supplement.jsonl'])
    for (const language of ['en', 'nl'])
      expect(await (await copy.fetch(`/${language}/api/${path}`)).text()).toBe(
        await served(`/${language}/api/${path}`),
      );
});

test('an update takes a feed of changes with abbreviated events; another feed is refused', async () => {
  const { folder, file } = await harvest('--format', 'jsonl');
  const publish = async (edition: number, name: string) => {
    const event = FIXTURE.event.map((one, at) => (at === 0 ? { ...one, name_nl: name, name_en: name } : one));
    const bundle = await writeBundle(join(await temporaryFolder(), 'bundle'), { ...FIXTURE, event });
    await publishHere(archive.database, bundle, ['--keep', '9']);
    const now = async () => JSON.parse(await served('/api/editions')).served;
    await expect.poll(now, { timeout: 30_000 }).toBe(edition);
    archive.proxy.requests = [];
  };
  await publish(2, 'Een andere naam');
  expect(await runHere(['harvest', '--update', folder])).toMatchObject({ code: 0 });
  expect(archive.proxy.requests).toContain('/en/api/changes.jsonl?edition=2&events=abbreviated&since=1');
  expect(eventRequests()).toEqual([]);
  const now = () => served('/en/api/dump/events.jsonl?events=abbreviated');
  expect(await file('events.jsonl')).toBe(await now());

  await publish(3, 'Weer een naam');
  const full = await served('/en/api/changes.jsonl?edition=3&since=2');
  archive.proxy.spoil = ({ url }) => (url.includes('changes.jsonl') ? { body: full } : undefined);
  const update = await runHere(['harvest', '--update', folder]);
  expect(update).toMatchObject({ code: 0, stderr: expect.stringContaining('record.persons') });
  expect(eventRequests().length).toBeGreaterThan(1);
  expect(await file('events.jsonl')).toBe(await now());
});
