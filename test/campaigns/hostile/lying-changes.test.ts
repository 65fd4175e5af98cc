import { once } from 'node:events';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCli } from '../../faults/run-cli.ts';
import { runHere } from '../../faults/run-here.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import { publishHere } from '../../support/api-here.ts';
import { FIXTURE, writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../../support/spoiled-archive.ts';

/** Milliseconds that an update may take, whatever the feed of changes does. */
const MOST = 20_000;

/** Bytes that a lying feed may leave on the disk: those of the archive itself, about. */
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
  await archive.server.process.said(/"edition":2,.*"msg":"serving edition"/);
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

/** Writes what `pieces` gives, as fast as it is taken, until the reader leaves. */
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

/** What a feed without an end pours out; of the feed as it should be. */
const FLOODS: Readonly<Record<string, [(lines: string[]) => Iterable<string>, RegExp]>> = {
  'goes on after all that it promised': [
    (lines) => after(`${lines.join('\n')}\n`, again(tombstones)),
    /expected \d+ changed records, not \d+/,
  ],
  'promises what no archive has': [
    ([header = '']) =>
      after(`${header.replace(/"removed":\d+/, '"removed":900000000')}\n`, again(tombstones)),
    /expected at most \d+ records added or changed and 59 removed, not \d+ and 900000000/,
  ],
  'promises more records than its manifest': [
    ([header = '']) =>
      after(`${header.replace(/"changed":\d+/, '"changed":900000000')}\n`, again(tombstones)),
    /expected at most 59 records added or changed and 59 removed, not 900000000 and 0/,
  ],
  'never ends its first line': [
    () => again(() => 'x'.repeat(65_536)),
    /the response is larger than the limit of \d+ bytes/,
  ],
  'never ends a record': [
    ([header = '']) =>
      after(
        `${header}\n{"kind":"person","x":"`,
        again(() => 'x'.repeat(65_536)),
      ),
    /the response is larger than the limit of \d+ bytes/,
  ],
  'has records of more bytes than the archive': [
    ([header = '', ...more]) =>
      after(
        `${header}\n`,
        again((index) => `${more[0]?.slice(0, -1)}${' '.repeat(65_536 + index)}}\n`),
      ),
    /the response is larger than the limit of \d+ bytes|not \d+/,
  ],
};

test.for(Object.entries(FLOODS))(
  'a feed that %s is left, and the pages are walked',
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
      const feed = await stat(join(harvest, '.journal-update', 'changes.jsonl')).catch(() => undefined);
      mostBytes = Math.max(mostBytes, feed?.size ?? 0);
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

/** What a feed may say that is not so: of the feed as it should be. */
const LIES: Readonly<Record<string, (lines: string[]) => string[]>> = {
  'nothing changed': ([header = '']) => [header.replace(/"(added|changed|removed)":\d+/g, '"$1":0')],
  'a record went that is there still': ([header = '', ...more]) => [
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
  'a count is below nothing': ([header = '', ...more]) => [
    header.replace(/"removed":\d+/, '"removed":-1'),
    ...more,
  ],
  'lines are empty': (lines) => lines.flatMap((line) => [line, '']),
};

test.for(Object.entries(LIES))('a feed by which %s is not believed', async ([, lie], context) => {
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

/** Whether a harvest has the files of a fresh one, and nothing of the feed that lied. */
async function expectFresh(harvest: string): Promise<void> {
  const names = (await readdir(fresh)).toSorted();
  expect((await readdir(harvest)).toSorted()).toEqual(names);
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    expect((await readFile(join(harvest, name))).equals(await readFile(join(fresh, name))), name).toBe(true);
  }
  expect(await readdir(join(harvest, '.journal'))).not.toContain('changes.jsonl');
  expect((await runHere(['verify', '--source', harvest])).code).toBe(0);
}
