import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WriteError } from '../errors/write-error.ts';
import { writeWhole } from './write-whole.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'archive-client-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a file takes its name when it is whole', async () => {
  const path = await folder();
  await writeWhole(join(path, 'a'), async (file) => {
    await file.writeFile('content');
    expect(await readdir(path)).toEqual(['a.part']);
  });
  expect(await readdir(path)).toEqual(['a']);
  expect(await readFile(join(path, 'a'), 'utf8')).toBe('content');
});

test('a file stays what it was when writing it anew fails', async () => {
  const path = await folder();
  await writeWhole(join(path, 'a'), (file) => file.writeFile('old'));
  const failing = writeWhole(join(path, 'a'), async (file) => {
    await file.writeFile('new');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(path)).toEqual(['a']);
  expect(await readFile(join(path, 'a'), 'utf8')).toBe('old');
});

test('a folder that is not there is named', async () => {
  const path = join(await folder(), 'none', 'a');
  const failing = writeWhole(path, (file) => file.writeFile('x'));
  await expect(failing).rejects.toThrow(WriteError);
  await expect(failing).rejects.toThrow(`${path} cannot be written (ENOENT`);
});
