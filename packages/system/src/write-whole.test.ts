import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { putInPlace, replaceWhole, WriteError, writeWhole } from './files.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'archive-system-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a file gets its name when it is complete', async () => {
  const path = await folder();
  await writeWhole(join(path, 'a'), async (file) => {
    await file.writeFile('content');
    expect(await readdir(path)).toEqual(['a.part']);
  });
  expect(await readdir(path)).toEqual(['a']);
  expect(await readFile(join(path, 'a'), 'utf8')).toBe('content');
});

test('a file is unchanged if overwriting it fails', async () => {
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

test('concurrent replacements write separate temporary files', async () => {
  const path = await folder();
  const contents = ['one', 'two', 'three'];
  await Promise.all(contents.map((text) => replaceWhole(join(path, 'a'), (file) => writeFile(file, text))));
  expect(await readdir(path)).toEqual(['a']);
  expect(contents).toContain(await readFile(join(path, 'a'), 'utf8'));
});

test('a file is renamed to its own name; an error for a missing one has that name', async () => {
  const path = await folder();
  await writeFile(join(path, 'a'), 'old');
  await writeFile(join(path, 'a.part'), 'new');
  await putInPlace(join(path, 'a.part'), join(path, 'a'));
  expect(await readdir(path)).toEqual(['a']);
  expect(await readFile(join(path, 'a'), 'utf8')).toBe('new');

  const failing = putInPlace(join(path, 'a.part'), join(path, 'a'));
  await expect(failing).rejects.toThrow(WriteError);
  await expect(failing).rejects.toThrow(`${join(path, 'a')} cannot be written (ENOENT`);
  expect(await readFile(join(path, 'a'), 'utf8')).toBe('new');
});
