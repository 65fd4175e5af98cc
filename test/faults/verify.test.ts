import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { type ArchiveServer, startArchive } from './archive-server.ts';
import { runHere } from './run-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

let archive: ArchiveServer;
beforeAll(async () => {
  archive = await startArchive();
});
afterAll(() => archive.stop());

function harvest(folder: string, more: string[] = []) {
  return runHere(['harvest', ...more, '--base-url', archive.url, '--out', folder, '--format', 'csv,jsonl']);
}

test('a complete harvest is valid', async (context) => {
  const folder = await temporaryFolder(context);
  await harvest(folder);
  const { code, stdout } = await runHere(['verify', folder]);
  expect(code).toBe(0);
  expect(stdout).toContain('persons: 35 records of 35 expected, 4 pages\n');
  const files = (await readdir(folder)).filter((name) => name !== 'harvest.json');
  expect(stdout).toContain(`\n${files.length} files unchanged\n`);
  expect(stdout).toMatch(
    /\n\d+ references resolved\nThe archive offers no supplement.*\nValid: this is what http:\S+ served until \S+, in en\.\n$/,
  );
});

test('a flipped bit is found, wherever it is', async (context) => {
  const folder = await temporaryFolder(context);
  await harvest(folder);
  const random = createRandom(4);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const content = await readFile(path);
    for (let times = 0; times < 3; times += 1) {
      const flipped = Buffer.from(content);
      const place = random.below(content.length);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << random.below(8));
      await writeFile(path, flipped);
      const { code, stderr } = await runHere(['verify', folder]);
      expect(code, `${name}, byte ${place}: ${stderr}`).toBe(1);
      expect(stderr).toContain(name);
    }
    await writeFile(path, content);
  }
  expect((await runHere(['verify', folder])).code).toBe(0);
});

test('a missing or truncated file is found', async (context) => {
  const folder = await temporaryFolder(context);
  await harvest(folder);
  await rm(join(folder, 'events.csv'));
  await writeFile(join(folder, 'subjects.csv'), 'id\r\n');
  const { code, stderr } = await runHere(['verify', folder]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/events\.csv: cannot be read \(ENOENT/);
  expect(stderr).toMatch(/subjects\.csv: 4 bytes, expected \d+/);
});

test('a reference to a missing record is found', async (context) => {
  const folder = await temporaryFolder(context);
  archive.changed.set('location 3', {
    related_locations: [`${archive.url}/en/api/locations/c0000000-0000-4000-8000-999999999999`],
  });
  context.onTestFinished(() => archive.changed.clear());
  await harvest(folder);
  const { code, stderr } = await runHere(['verify', folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'locations: c0000000-0000-4000-8000-000000000003: related_locations: unknown location c0000000-0000-4000-8000-999999999999',
  );
});

test('references to kinds that were not harvested are not checked, with a message', async (context) => {
  const folder = await temporaryFolder(context);
  await harvest(folder, ['persons']);
  const { code, stdout } = await runHere(['verify', folder]);
  expect(code).toBe(0);
  expect(stdout).toContain('references to subjects were not checked: they were not harvested');
});

test('a folder without a harvest is rejected', async (context) => {
  const folder = await temporaryFolder(context);
  const { code, stderr } = await runHere(['verify', folder]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${folder} contains no harvest`);
  expect((await runHere(['export', folder])).stderr).toContain(`${folder} contains no finished harvest`);
});
