import { once } from 'node:events';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCli } from '../../faults/run-cli.ts';
import { runHere } from '../../faults/run-here.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import { publishHere } from '../../support/api-here.ts';
import { untilServed } from '../../support/api-server.ts';
import { FIXTURE, writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../../support/spoiled-archive.ts';

/** The time limit of an update in milliseconds, with any feed of changes. */
const MOST = 20_000;

/** Maximum size of the files that a hostile feed leaves on disk: about that of the archive. */
const MOST_BYTES = 2_000_000;

let archive: SpoiledArchive;
let held: string;
let fresh: string;
beforeAll(async () => {
  archive = await startSpoiledArchive(FIXTURE);
  held = await harvested('held');
  const person = FIXTURE.person.map((line) => ({ ...line, birth_place: 'Leiden' }));
  const bundle = await writeBundle(join(archive.folder, 'second'), { ...FIXTURE, person });
  await publishHere(archive.database, bundle, ['--keep', '9']);
  await untilServed(archive.server, 2);
  fresh = await harvested('fresh');
});
afterAll(() => archive?.stop());

async function harvested(name: string): Promise<string> {
  const out = join(archive.folder, name);
  const { code, stderr } = await runHere([
    'harvest',
    '--base-url',
    archive.baseUrl,
    '--out',
    out,
    '--format',
    'jsonl',
  ]);
  expect(code, stderr).toBe(0);
  return out;
}

/** Writes `pieces` with backpressure, until the client aborts. */
async function pour(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/jsonl' });
  const left = once(response, 'close');
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), left]);
  }
  response.end();
}

function* again(piece: (index: number) => string): Generator<string> {
  for (let index = 0; ; index += 1) yield piece(index);
}

function* after(first: string, more: Iterable<string>): Generator<string> {
  yield first;
  yield* more;
}

const tombstone = (index: number) =>
  `${JSON.stringify({ kind: 'person', change: 'removed', uuid: uuidOf('person', 1_000 + index) })}\n`;
const tombstones = (block: number) =>
  Array.from({ length: 500 }, (_, index) => tombstone(block * 500 + index)).join('');

/** Endless feeds, made from the correct one. */
const FLOODS: Readonly<Record<string, [(lines: string[]) => Iterable<string>, RegExp]>> = {
  'continues after all announced records': [
    (lines) => after(`${lines.join('\n')}\n`, again(tombstones)),
    /expected \d+ changed records, not \d+/,
  ],
  'has an endless record': [
    ([header = '']) =>
      after(
        `${header}\n{"kind":"person","x":"`,
        again(() => 'x'.repeat(65_536)),
      ),
    /the response is larger than the limit of \d+ bytes/,
  ],
  'has more bytes than the archive': [
    ([header = '', ...more]) =>
      after(
        `${header}\n`,
        again((index) => `${more[0]?.slice(0, -1)}${' '.repeat(65_536 + index)}}\n`),
      ),
    /the response is larger than the limit of \d+ bytes|not \d+/,
  ],
};

test.for(Object.entries(FLOODS))(
  'a feed that %s is aborted, and all pages are read',
  {
    timeout: 2 * MOST,
  },
  async ([, [flood, said]], context) => {
    const harvest = join(await temporaryFolder(context), 'harvest');
    await cp(held, harvest, { recursive: true });
    archive.proxy.spoil = ({ url, body, response }) => {
      if (!url.includes('/changes.jsonl')) return undefined;
      void pour(response, flood(body.trimEnd().split('\n')));
      return 'taken';
    };
    const started = performance.now();
    const running = startCli(['harvest', '--update', harvest]);
    const timer = setTimeout(() => running.kill('SIGKILL'), MOST);
    context.onTestFinished(() => {
      archive.proxy.spoil = () => undefined;
      clearTimeout(timer);
    });
    let mostBytes = 0;
    let isDone = false;
    const ended = running.ended.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const store = await stat(join(harvest, 'harvest-update.sqlite-wal')).catch(() => undefined);
      mostBytes = Math.max(mostBytes, store?.size ?? 0);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(said) });
    expect(stderr).toContain('Reading all pages.');
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    expect(performance.now() - started).toBeLessThan(MOST);
    await expectFresh(harvest);
  },
);

/** False feeds, made from the correct one. */
const LIES: Readonly<Record<string, (lines: string[]) => string[]>> = {
  'nothing changed': ([header = '']) => [header.replace(/"(added|changed|removed)":\d+/g, '"$1":0')],
  'an existing record is removed': ([header = '', ...more]) => [
    header.replace(/"removed":\d+/, '"removed":1'),
    JSON.stringify({ kind: 'subject', change: 'removed', uuid: uuidOf('subject', 1) }),
    ...more,
  ],
  'records have other ids': ([header = '', ...more]) => [
    header,
    ...more.map((line) =>
      line.replace(/"record":\{"id":(\d+)/, (_, id) => `"record":{"id":${Number(id) + 1}`),
    ),
  ],
  'a uuid is a path': ([header = '', ...more]) => [
    header,
    ...more.map((line) => line.replaceAll(/"uuid":"[^"]*"/g, '"uuid":"../../../../tmp/evil"')),
  ],
  'a kind is a path': ([header = '', ...more]) => [
    header,
    ...more.map((line) => line.replace('"kind":"person"', '"kind":"../../person"')),
  ],
  'the edition is another': ([header = '', ...more]) => [
    header.replace(/"edition":\{"id":2/, '"edition":{"id":3'),
    ...more,
  ],
  'a count is negative': ([header = '', ...more]) => [
    header.replace(/"removed":\d+/, '"removed":-1'),
    ...more,
  ],
  'lines are empty': (lines) => lines.flatMap((line) => [line, '']),
};

test.for(Object.entries(LIES))('a feed in which %s is rejected', async ([, lie], context) => {
  const harvest = join(await temporaryFolder(context), 'harvest');
  await cp(held, harvest, { recursive: true });
  archive.proxy.spoil = ({ url, body }) =>
    url.includes('/changes.jsonl') ? { body: `${lie(body.trimEnd().split('\n')).join('\n')}\n` } : undefined;
  context.onTestFinished(() => {
    archive.proxy.spoil = () => undefined;
  });
  const { code, stderr } = await runHere(['harvest', '--update', harvest]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Reading all pages.');
  await expectFresh(harvest);
});

/** Whether a harvest has the files of a new one, and nothing from the false feed. */
async function expectFresh(harvest: string): Promise<void> {
  const names = (await readdir(fresh)).toSorted();
  expect((await readdir(harvest)).toSorted()).toEqual(names);
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    expect((await readFile(join(harvest, name))).equals(await readFile(join(fresh, name))), name).toBe(true);
  }
  expect((await runHere(['verify', '--source', harvest])).code).toBe(0);
}
