import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../apps/api/testing/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

/** A harvest that waits for page 30 of the persons, or gets an error there. */
function startInterrupted(isWaiting: boolean) {
  return startScene(
    {
      counts: { person: 500 },
      fault({ ctx, kind, page }) {
        if (kind !== 'person' || page !== 30) return;
        if (isWaiting) ctx.respond = false;
        else ctx.throw(503);
      },
    },
    ['--format', 'jsonl', '--retries', '0'],
  );
}

function flipBit(content: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(content);
  const place = random.below(flipped.length);
  flipped[place] = (flipped[place] ?? 0) ^ (1 << random.below(8));
  return flipped;
}

test('a store is one file at the end, of at most half the bytes of its records', async () => {
  const { folder, command } = await startScene({ counts: { person: 2000 } }, ['--format', 'jsonl']);
  await runHere([...command, 'persons']);
  const names = ['datapackage.json', 'harvest.json', 'harvest.sqlite', 'persons.jsonl'];
  expect((await readdir(folder)).toSorted()).toEqual(names);
  const { size } = await stat(join(folder, 'harvest.sqlite'));
  expect(size).toBeLessThan((await stat(join(folder, 'persons.jsonl'))).size / 2);
});

test('a log of a killed harvest that is cut anywhere leaves pages from which it resumes', async () => {
  const { archive, command, folder } = await startInterrupted(true);
  const running = startCli(command);
  await expect.poll(() => archive.requests.join(), { timeout: 20_000 }).toContain('persons?page=30');
  running.kill('SIGKILL');
  await running.ended;
  archive.fault = () => {};
  const random = createRandom(7);
  const copy = await temporaryFolder();
  for (let times = 0; times < 6; times += 1) {
    const out = join(copy, String(times));
    await cp(folder, out, { recursive: true });
    const log = join(out, 'harvest.sqlite-wal');
    await truncate(log, random.below((await stat(log)).size));
    archive.requests.length = 0;
    expect(await runHere(command.map((each) => (each === folder ? out : each)))).toMatchObject({ code: 0 });
    expect(archive.requests).toContain('/en/api/persons?page=50');
    expect((await runHere(['verify', out])).code).toBe(0);
    const left = (await readdir(out)).filter((name) => name.startsWith('harvest.sqlite'));
    expect(left).toEqual(['harvest.sqlite']);
  }
});

test('a store with flipped bits is refused by its name, or its pages are as they were', async () => {
  const { archive, command, folder } = await startInterrupted(false);
  expect((await runHere(command)).code).toBe(4);
  archive.fault = () => {};
  const path = join(folder, 'harvest.sqlite');
  const stored = await readFile(path);
  const random = createRandom(11);
  let refused = 0;
  for (let times = 0; times < 12; times += 1) {
    await writeFile(path, flipBit(stored, random));
    const { code, stderr } = await runHere(command);
    if (code === 0) {
      expect((await runHere(['verify', folder])).code).toBe(0);
      const whole = await readFile(join(folder, 'persons.jsonl'), 'utf8');
      expect(whole.split('\n')).toHaveLength(501);
    } else {
      refused += 1;
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(folder) });
    }
    for (const name of await readdir(folder)) await rm(join(folder, name));
  }
  expect(refused).toBeGreaterThan(0);
});

test('verify finds a flipped bit in any file of a harvest', async () => {
  const { folder, command } = await startScene({}, ['--format', 'csv,jsonl']);
  await runHere(command);
  const random = createRandom(4);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const content = await readFile(path);
    for (let times = 0; times < 3; times += 1) {
      await writeFile(path, flipBit(content, random));
      const { code, stderr } = await runHere(['verify', folder]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(name) });
    }
    await writeFile(path, content);
  }
  expect((await runHere(['verify', folder])).code).toBe(0);
});
