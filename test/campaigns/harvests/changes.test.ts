import { hash } from 'node:crypto';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { startCli } from '../../faults/run-cli.ts';
import { runHere } from '../../faults/run-here.ts';
import { publishHere } from '../../support/api-here.ts';
import { untilServed } from '../../support/api-server.ts';
import { FIXTURE, writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { type Line, uuidOf } from '../../support/fixture/names.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../../support/spoiled-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A timeout for tests that harvest several times. */
const LONG = { timeout: 120_000 };
/** The fixture without halves of characters, which tables cannot contain. */
const LINES: Readonly<Record<Kind, readonly Line[]>> = JSON.parse(JSON.stringify(FIXTURE), (_, value) =>
  typeof value === 'string' ? value.toWellFormed() : value,
);
const ALL_FORMATS = 'csv,jsonl,geojson,sqlite,xlsx';

let archive: SpoiledArchive;
beforeAll(async () => {
  archive = await startSpoiledArchive(LINES);
});

/** Publishes an edition, and waits until it is served. */
async function publish(edition: number, lines: Partial<Record<Kind, readonly Line[]>>, keep = 9) {
  const bundle = await writeBundle(join(archive.folder, `bundle-${edition}`), { ...LINES, ...lines });
  await publishHere(archive.database, bundle, ['--keep', String(keep)]);
  await untilServed(archive.server, edition);
}

function altered(kind: Kind, id: number, more: object): Line[] {
  return LINES[kind].map((line) => (line.id === id ? { ...line, ...more } : line));
}

/** Harvests into a folder that exists until all tests are done. */
async function harvested(name: string, lang: string, formats = ALL_FORMATS): Promise<string> {
  const out = join(archive.folder, name);
  const args = ['harvest', '--base-url', archive.baseUrl, '--lang', lang, '--out', out, '--format', formats];
  const { code, stderr } = await runHere(args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return out;
}

/** A copy of a harvest, for one test. */
async function copyOf(harvest: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'harvest');
  await cp(harvest, copy, { recursive: true });
  archive.proxy.requests.length = 0;
  return copy;
}

/** The random UUID of a harvest as an archive, and when it was verified, in archive.json. */
const OF_A_HARVEST = /"(?:uuid|verified_at)": "[^"]*"/g;

/** All files of a harvest without times: not harvest.json and the store, which have many. */
async function filesOf(harvest: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of (await readdir(harvest, { recursive: true })).toSorted()) {
    if (name === 'harvest.json' || name.startsWith('harvest.sqlite')) continue;
    if ((await stat(join(harvest, name))).isFile()) files.set(name, await readFile(join(harvest, name)));
  }
  const [words, described] = [files.get('archive.json'), files.get('datapackage.json')];
  if (words) files.set('archive.json', Buffer.from(words.toString().replace(OF_A_HARVEST, '')));
  if (words && described) {
    const own = hash('sha256', words);
    files.set('datapackage.json', Buffer.from(described.toString().replace(own, '')));
  }
  return files;
}

async function expectSame(harvest: string, fresh: string, least: number): Promise<void> {
  const [is, should] = [await filesOf(harvest), await filesOf(fresh)];
  expect([...is.keys()]).toEqual([...should.keys()]);
  expect(is.size).toBeGreaterThanOrEqual(least);
  for (const [name, bytes] of is) expect(bytes.equals(should.get(name) ?? Buffer.of()), name).toBe(true);
}

const pagesAsked = () =>
  archive.proxy.requests.filter((url) => /\/api\/(persons|subjects|locations|events)/.test(url));
const feedsAsked = () => archive.proxy.requests.filter((url) => url.includes('/changes.jsonl'));

test('an update reads the changes only, and ends with the bytes of a new harvest', LONG, async () => {
  const english = await harvested('en', 'en');
  const dutch = await harvested('nl', 'nl');
  await publish(2, { person: altered('person', 106, { content_en: '<p>New.</p>', birth_place: 'Leiden' }) });
  archive.proxy.requests.length = 0;
  const second = await runHere(['harvest', '--update', english]);
  expect(second).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('0 added, 1 changed, 0 removed.'),
  });
  expect(second.stderr).toMatch(
    /\d+ records to fetch from edition 2: new or changed since edition 1, or with a changed record in them\./,
  );
  expect(pagesAsked()).toEqual([]);
  expect(feedsAsked()).toEqual(['/en/api/changes.jsonl?edition=2&events=abbreviated&since=1']);
  await expectSame(english, await harvested('en-2', 'en'), 16);

  const added = { id: 999, uuid: uuidOf('person', 999), title_nl: 'Nieuw' };
  await publish(3, {
    person: [added, ...LINES.person],
    subject: altered('subject', 2, { name_nl: 'Anders' }),
    location: altered('location', 207, { published: false }),
    event: LINES.event.filter(({ id }) => id !== 311),
  });
  for (const [harvest, lang] of [
    [english, 'en'],
    [dutch, 'nl'],
  ] as const) {
    const updated = await runHere(['harvest', '--update', harvest]);
    expect(updated).toMatchObject({ code: 0, stderr: expect.stringMatching(/1 added, .* 2 removed\./) });
    await expectSame(harvest, await harvested(`${lang}-3`, lang), 16);
    expect(await runHere(['verify', harvest])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`published as edition 3, in ${lang}.`),
    });
  }
});

test('an update from an edition to itself changes nothing', LONG, async () => {
  const harvest = await copyOf(join(archive.folder, 'en-3'));
  const { code, stderr } = await runHere(['harvest', '--update', harvest]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('0 added, 0 changed, 0 removed.'),
  });
  expect(pagesAsked()).toEqual([]);
  await expectSame(harvest, join(archive.folder, 'en-3'), 16);
});

test('an update killed while it reads the feed fetches it again', LONG, async () => {
  const held = join(archive.folder, 'en-jsonl-3');
  await harvested('en-jsonl-3', 'en', 'jsonl');
  await publish(4, {
    person: LINES.person.map((line) => ({ ...line, summary_en: 'Of the fourth edition' })),
  });
  await harvested('en-jsonl-4', 'en', 'jsonl');
  const harvest = await copyOf(held);
  const cut = Promise.withResolvers<void>();
  archive.proxy.spoil = ({ url, body, response }) => {
    if (!url.includes('/changes.jsonl')) return undefined;
    response.writeHead(200, { 'content-type': 'application/jsonl' });
    response.write(body.slice(0, Math.floor(body.length / 2)), () => cut.resolve());
    return 'taken';
  };
  const running = startCli(['harvest', '--update', harvest]);
  await cut.promise;
  running.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');

  const ranges: (string | undefined)[] = [];
  archive.proxy.spoil = ({ url, range }) => {
    if (url.includes('/changes.jsonl')) ranges.push(range);
    return undefined;
  };
  const { code, stderr } = await runHere(['harvest', '--update', harvest]);
  archive.proxy.spoil = () => undefined;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(ranges).toEqual([undefined]);
  expect(pagesAsked()).toEqual([]);
  await expectSame(harvest, join(archive.folder, 'en-jsonl-4'), 6);
  expect((await readdir(harvest)).filter((name) => name.startsWith('harvest-update'))).toEqual([]);
});

const NOBODY = 'a0000000-0000-4000-8000-999999999999';

function ofPersons(lines: readonly string[], change: (line: string) => string): string[] {
  return lines.map((line) => (line.startsWith('{"kind":"person"') ? change(line) : line));
}

/** Invalid feeds of changes, and the error for each. */
const LIES: Readonly<Record<string, [(lines: string[]) => string[], RegExp?]>> = {
  'a record that was not published': [
    (lines) => ofPersons(lines, (line) => line.replace('Of the fourth edition', 'Of a fifth edition')),
    /the resulting person records differ from those that the archive published as edition 4/,
  ],
  'a record with the uuid of another': [
    (lines) =>
      ofPersons(lines, (line) => line.replace(/"uuid":"[^"]*","record"/, `"uuid":"${NOBODY}","record"`)),
    /repeats the record/,
  ],
  'changes between other editions': [
    ([header = '', ...more]) => [header.replace('"id":3', '"id":1'), ...more],
    /expected the changes from 3 to 4 in en, not 1 to 4/,
  ],
  'HTML instead of JSON': [() => ['<html>', '<body>'], /expected the changes, as JSON/],
  'a tombstone for an existing record': [
    ([header = '', ...more]) => [
      header.replace(/"removed":\d+/, '"removed":1'),
      JSON.stringify({ kind: 'subject', change: 'removed', uuid: uuidOf('subject', 1) }),
      ...more,
    ],
  ],
  'paths for uuids': [
    (lines) =>
      ofPersons(lines, (line) => line.replaceAll(/"uuid":"[^"]*"/g, '"uuid":"../../../../tmp/evil"')),
  ],
};

test.for(Object.entries(LIES))(
  'a feed with %s is rejected',
  LONG,
  async ([, [lie, said = /cannot be used/]], context) => {
    const harvest = await copyOf(join(archive.folder, 'en-jsonl-3'));
    archive.proxy.spoil = ({ url, body }) =>
      url.includes('/changes.jsonl')
        ? { body: `${lie(body.trimEnd().split('\n')).join('\n')}\n` }
        : undefined;
    context.onTestFinished(() => {
      archive.proxy.spoil = () => undefined;
    });
    const { code, stderr } = await runHere(['harvest', '--update', harvest]);
    expect(stderr).toMatch(said);
    expect(stderr).toContain('Reading all pages.');
    expect(code).toBe(0);
    await expectSame(harvest, join(archive.folder, 'en-jsonl-4'), 6);
  },
);

test('an archive that differs from its own manifest is detected', LONG, async (context) => {
  const harvest = await copyOf(join(archive.folder, 'en-jsonl-3'));
  const before = await readFile(join(harvest, 'harvest.json'));
  const fresh = await temporaryFolder();
  archive.proxy.spoil = ({ url, body }) =>
    url.includes('/dump/manifest.json')
      ? { body: body.replace(/("name":"persons\.jsonl".*?"hashes":\[")\w{8}/, '$100000000') }
      : undefined;
  context.onTestFinished(() => {
    archive.proxy.spoil = () => undefined;
  });
  const differs =
    /persons: records 1 to 1000 \(block 1\) differ from what the archive published as edition 4/;
  for (const from of ['pages', 'dumps']) {
    const out = join(fresh, from);
    const command = [
      'harvest',
      '--base-url',
      archive.baseUrl,
      '--out',
      out,
      '--format',
      'jsonl',
      '--from',
      from,
    ];
    const { code, stderr } = await runHere(command);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(differs) });
    expect(stderr).not.toContain('Complete');
    expect(JSON.parse(await readFile(join(out, 'harvest.json'), 'utf8'))).toMatchObject({
      complete: false,
      published_as: null,
    });
  }
  const { code, stderr } = await runHere(['harvest', '--update', harvest]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(differs) });
  expect(stderr).toContain('the harvest was left unchanged');
  expect(await readFile(join(harvest, 'harvest.json'))).toEqual(before);
  const source = await runHere(['verify', '--source', join(archive.folder, 'en-jsonl-4')]);
  expect(source).toMatchObject({ code: 1, stderr: expect.stringMatching(differs) });
});

test('a killed update that reads all pages resumes in the same way', LONG, async () => {
  const harvest = await copyOf(join(archive.folder, 'en-jsonl-3'));
  archive.proxy.spoil = ({ url }) =>
    url.includes('/changes.jsonl')
      ? { status: 404 }
      : /events\?.*page=2/.test(url)
        ? { status: 500 }
        : undefined;
  const first = await runHere(['harvest', '--update', harvest, '--retries', '0']);
  expect(first).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Run the same command again to resume'),
  });
  archive.proxy.spoil = () => undefined;
  archive.proxy.requests.length = 0;
  const { code, stderr } = await runHere(['harvest', '--update', harvest]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('events: resuming after'),
  });
  expect(feedsAsked()).toEqual([]);
  await expectSame(harvest, join(archive.folder, 'en-jsonl-4'), 6);
});

test(
  'an update from an edition that is no longer kept reads all pages; its manifest is unavailable',
  LONG,
  async () => {
    const harvest = await copyOf(join(archive.folder, 'en-jsonl-3'));
    await publish(5, {}, 2);
    const asked = await runHere(['verify', '--source', harvest]);
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('offers no manifest of edition 3 to compare with'),
    });
    const { code, stderr } = await runHere(['harvest', '--update', harvest]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/cannot be used: .*status 410.*Reading all pages\./s),
    });
    await expectSame(harvest, await harvested('en-5', 'en', 'jsonl'), 6);
  },
);
