import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { beforeAll, expect, test } from 'vitest';
import { FIXTURE } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { type SpoiledArchive, startSpoiledArchive } from '../support/spoiled-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** Longer than the time for which lines are buffered before they are written to the store, in milliseconds. */
const PAUSE_MS = 150;
const LINES_AT_ONCE = 40;

let archive: SpoiledArchive;
beforeAll(async () => {
  const more = Array.from({ length: 200 }, (_, index) => ({
    id: 1000 + index,
    uuid: uuidOf('person', 1000 + index),
    title_nl: `Persoon ${index}`,
  }));
  archive = await startSpoiledArchive({ ...FIXTURE, person: [...FIXTURE.person, ...more] });
});

const commandInto = (out: string) => [
  ...['harvest', '--base-url', archive.baseUrl, '--out', out, '--format', 'csv,jsonl', '--from', 'dumps'],
];

test('a killed harvest from dumps resumes within a dump, and ends with the same bytes', async () => {
  const parent = await temporaryFolder();
  const [killed, whole] = [join(parent, 'killed'), join(parent, 'whole')];
  expect((await runHere(commandInto(whole))).code).toBe(0);

  archive.proxy.spoil = ({ url, body, response }) => {
    if (!url.includes('/dump/persons.jsonl')) return undefined;
    void trickle(body.split(/(?<=\n)/), (text) => response.write(text));
    return 'taken';
  };
  const running = startCli(commandInto(killed));
  const size = () =>
    stat(join(killed, 'harvest.sqlite-wal')).then(
      (found) => found.size,
      () => 0,
    );
  await expect.poll(size, { timeout: 20_000 }).toBeGreaterThan(200_000);
  running.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');

  const ranges: (string | undefined)[] = [];
  archive.proxy.spoil = ({ url, range }) => {
    if (url.includes('/dump/persons.jsonl')) ranges.push(range);
    return undefined;
  };
  const { code, stderr } = await runHere(commandInto(killed));
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/persons: resuming after page \d+/),
  });
  expect(ranges).toEqual([expect.stringMatching(/^bytes=\d+-$/)]);
  for (const kind of KINDS) {
    for (const format of ['csv', 'jsonl']) {
      const name = `${COLLECTIONS[kind]}.${format}`;
      expect(await readFile(join(killed, name), 'utf8'), name).toBe(
        await readFile(join(whole, name), 'utf8'),
      );
    }
  }
  expect((await runHere(['verify', killed])).code).toBe(0);
});

/** Writes all lines but the last ones, with pauses, and then hangs. */
async function trickle(lines: readonly string[], write: (text: string) => void): Promise<void> {
  for (let at = 0; at + LINES_AT_ONCE < lines.length; at += LINES_AT_ONCE) {
    write(lines.slice(at, at + LINES_AT_ONCE).join(''));
    await sleep(PAUSE_MS);
  }
}
