import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

async function scene(context: TestContext) {
  const made = await startScene(context);
  return { ...made, path: join(made.folder, 'persons.csv') };
}

async function harvested(context: TestContext) {
  const made = await scene(context);
  expect((await runHere(made.command)).code).toBe(0);
  made.archive.requests.length = 0;
  return made;
}

test("a user's file is reported by name, before the first request", async (context) => {
  const { archive, path, command } = await scene(context);
  await writeFile(path, 'mine');
  const { code, stderr } = await runHere(command);
  expect(code).toBe(1);
  expect(stderr).toContain(`${path} was not written by archive-cli, or changed since;`);
  expect(stderr).toContain('--force');
  expect(archive.requests).toEqual([]);
  expect(await readFile(path, 'utf8')).toBe('mine');
});

test('--force overwrites it', async (context) => {
  const { path, command, folder } = await scene(context);
  await writeFile(path, 'mine');
  expect((await runHere([...command, '--force'])).code).toBe(0);
  expect(await readFile(path, 'utf8')).toContain('Persoon 1');
  expect((await runHere(['verify', folder])).code).toBe(0);
});

describe('an edited file of a finished harvest', () => {
  const COMMANDS: Record<string, (folder: string, command: string[]) => string[]> = {
    'the same command': (_, command) => command,
    update: (folder) => ['harvest', '--update', folder],
    export: (folder) => ['export', folder],
  };
  test.for(Object.keys(COMMANDS))('is kept by %s, and overwritten with --force', async (name, context) => {
    const { archive, folder, path, command } = await harvested(context);
    const args = COMMANDS[name]?.(folder, command) ?? [];
    const whole = await readFile(path, 'utf8');
    const edited = `${whole}a note of mine\r\n`;
    await writeFile(path, edited);
    const { code, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${path} was not written by archive-cli`),
    });
    expect(archive.requests).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(edited);

    expect((await runHere([...args, '--force'])).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(whole);
    expect((await runHere(['verify', folder])).code).toBe(0);
  });

  test('does not affect another format', async (context) => {
    const { folder, path } = await harvested(context);
    await writeFile(path, 'mine');
    expect((await runHere(['export', folder, '--format', 'jsonl'])).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});

test('a harvest that was killed between writing its files and harvest.json resumes', async (context) => {
  const { folder, path, command } = await harvested(context);
  const whole = await readFile(path, 'utf8');
  await rm(join(folder, 'harvest.json'));
  expect((await runHere(command)).code).toBe(0);
  expect(await readFile(path, 'utf8')).toBe(whole);
  expect((await runHere(['verify', folder])).code).toBe(0);

  await rm(join(folder, 'harvest.json'));
  await writeFile(path, 'mine');
  const { code, stderr } = await runHere(command);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(path) });
});

test('several files are reported together', async (context) => {
  const { folder, command } = await scene(context);
  for (const name of ['persons.csv', 'events.csv']) await writeFile(join(folder, name), 'mine');
  const { stderr } = await runHere(command);
  expect(stderr).toContain(
    `${join(folder, 'persons.csv')}, ${join(folder, 'events.csv')} were not written by archive-cli`,
  );
});
