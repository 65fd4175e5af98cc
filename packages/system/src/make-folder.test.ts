import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './folders.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'archive-system-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('makes a folder and those above it, at the same time as others', async () => {
  const path = join(await folder(), 'a', 'b');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'c'))]);
  expect((await stat(join(path, 'c'))).isDirectory()).toBe(true);
});

test('a file in its place is an error that names it', async () => {
  const path = join(await folder(), 'a');
  await writeFile(path, '');
  await expect(makeFolder(path)).rejects.toThrow(`${path} cannot be written (EEXIST`);
  await expect(makeFolder(join(path, 'b'))).rejects.toThrow(`${path} cannot be written (EEXIST`);
});
