import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';
import { type Lifetime, temporaryFolder } from './temporary-folder.ts';

/** A harvest that stopped because page 30 of the persons failed, or was killed while it waited for it. */
async function interrupted(context: Lifetime, isKilled: boolean) {
  const { archive, folder, command } = await startScene(
    context,
    {
      etags: true,
      counts: { person: 500 },
      fault({ ctx, kind, page }) {
        if (kind !== 'person' || page !== 30) return;
        if (isKilled) ctx.respond = false;
        else ctx.throw(503);
      },
    },
    ['--format', 'jsonl', '--retries', '0'],
  );
  if (isKilled) {
    const running = startCli(command);
    await expect.poll(() => archive.requests.join(), { timeout: 20_000 }).toContain('persons?page=30');
    running.kill('SIGKILL');
    await running.ended;
  } else expect((await runHere(command)).code).toBe(4);
  archive.fault = () => {};
  archive.requests.length = 0;
  const pages = () => archive.requests.filter((url) => url.startsWith('/en/api/persons'));
  return { archive, folder, command, pages };
}

test('a store is one file at the end, of at most half the bytes of its records', async (context) => {
  const { folder, command } = await startScene(context, { counts: { person: 2000 } }, ['--format', 'jsonl']);
  await runHere([...command, 'persons']);
  expect((await readdir(folder)).toSorted()).toEqual([
    'datapackage.json',
    'harvest.json',
    'harvest.sqlite',
    'persons.jsonl',
  ]);
  const { size } = await stat(join(folder, 'harvest.sqlite'));
  expect(size).toBeLessThan((await stat(join(folder, 'persons.jsonl'))).size / 2);
});

test('pages that a store has are not sent again to an update', async (context) => {
  const { archive, command, folder } = await interrupted(context, false);
  expect((await runHere(command)).code).toBe(0);
  const statuses: number[] = [];
  archive.onAnswer = (status) => statuses.push(status);
  archive.changed.set('person 7', { first_name: 'Piet' });
  const { code, stderr } = await runHere(['harvest', '--update', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('0 added, 1 changed') });
  expect(statuses.filter((status) => status === 304)).toHaveLength(50 + 2 + 1 + 1 - 1);
  expect(await readFile(join(folder, 'persons.jsonl'), 'utf8')).toContain('Piet');
});

test('a log of a killed harvest that is cut anywhere leaves pages from which it resumes', async (context) => {
  const { command, folder, pages, archive } = await interrupted(context, true);
  const random = createRandom(7);
  const copy = await temporaryFolder(context);
  for (let times = 0; times < 6; times += 1) {
    const out = join(copy, String(times));
    await cp(folder, out, { recursive: true });
    const log = join(out, 'harvest.sqlite-wal');
    await truncate(log, random.below((await stat(log)).size));
    archive.requests.length = 0;
    const again = command.map((each) => (each === folder ? out : each));
    expect(await runHere(again)).toMatchObject({ code: 0 });
    expect(pages().at(-1)).toBe('/en/api/persons?page=50');
    expect((await runHere(['verify', out])).code).toBe(0);
    const left = (await readdir(out)).filter((name) => name.startsWith('harvest.sqlite'));
    expect(left).toEqual(['harvest.sqlite']);
  }
});

test('a store with flipped bits is refused by its name, or its pages are as they were', async () => {
  const { command, folder } = await interrupted({ onTestFinished }, false);
  const path = join(folder, 'harvest.sqlite');
  const stored = await readFile(path);
  const random = createRandom(11);
  let refused = 0;
  for (let times = 0; times < 12; times += 1) {
    const flipped = Buffer.from(stored);
    const place = random.below(flipped.length);
    flipped[place] = (flipped[place] ?? 0) ^ (1 << random.below(8));
    await writeFile(path, flipped);
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
