import { access, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeFolder,
  putInPlace,
  replaceWhole,
  WriteError,
  withTemporaryFolder,
  writeWhole,
} from './files.ts';

const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'archive-system-'));

test.each(['succeeds', 'fails'])('a temporary folder is removed when the work %s', async (end) => {
  let used = '';
  const work = withTemporaryFolder('archive-system-', async (folder) => {
    used = folder;
    await writeFile(join(folder, 'file'), '');
    if (end === 'fails') throw new Error('no more');
  });
  await work.catch((error) => expect(error.message).toBe('no more'));
  await expect(access(used)).rejects.toThrow('ENOENT');
});

test('creates a folder and its parents, safe to run concurrently', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a', 'b');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'c'))]);
  expect((await stat(join(path, 'c'))).isDirectory()).toBe(true);
});

test('an existing file is an error that names it', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a');
  await writeFile(path, '');
  await expect(makeFolder(path)).rejects.toThrow(`${path} cannot be written (EEXIST`);
  await expect(makeFolder(join(path, 'b'))).rejects.toThrow(`${path} cannot be written (EEXIST`);
});

test('a file gets its name when it is complete', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a');
  await writeWhole(path, async (file) => {
    await file.writeFile('content');
    expect(await readdir(folder.path)).toEqual(['a.part']);
  });
  expect(await readdir(folder.path)).toEqual(['a']);
  expect(await readFile(path, 'utf8')).toBe('content');
});

test('a file is unchanged if overwriting it fails', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a');
  await writeFile(path, 'old');
  const failing = writeWhole(path, async (file) => {
    await file.writeFile('new');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(folder.path)).toEqual(['a']);
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('concurrent replacements write separate temporary files', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a');
  const contents = ['one', 'two', 'three'];
  await Promise.all(contents.map((text) => replaceWhole(path, (file) => writeFile(file, text))));
  expect(await readdir(folder.path)).toEqual(['a']);
  expect(contents).toContain(await readFile(path, 'utf8'));
});

test('an error for a missing file has the name that it would get', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a');
  const failing = putInPlace(`${path}.part`, path);
  await expect(failing).rejects.toThrow(WriteError);
  await expect(failing).rejects.toThrow(`${path} cannot be written (ENOENT`);
});
