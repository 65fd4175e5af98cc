import { access, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeFolder,
  putInPlace,
  readTextLines,
  replaceWhole,
  type TextLine,
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

async function textLinesOf(content: string | Buffer): Promise<TextLine[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'lines');
  await writeFile(path, content);
  return await Array.fromAsync(readTextLines(path));
}

test.each([
  ['', {}],
  ['\n\n \n', {}],
  ['a', { 1: 'a' }],
  ['a\n', { 1: 'a' }],
  ['a\nb', { 1: 'a', 2: 'b' }],
  ['a\r\n\r\nb\r\n', { 1: 'a', 3: 'b' }],
  ['\ufeffa\nb\n', { 1: 'a', 2: 'b' }],
  ['a\u2028b\n', { 1: 'a\u2028b' }],
])('the text lines of %j', async (text, expected) => {
  const lines = await textLinesOf(text);
  expect(Object.fromEntries(lines.map(({ number, text: line }) => [number, line?.trim()]))).toEqual(expected);
});

test('a line and a character may span blocks', async () => {
  const long = 'é🏛'.repeat(200_000);
  expect(await textLinesOf(`x${long}\n${long}\ny`)).toEqual([
    { number: 1, text: `x${long}` },
    { number: 2, text: long },
    { number: 3, text: 'y' },
  ]);
});

test('a line that is not UTF-8 has no text; the next one is read', async () => {
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xc3, 0x28, 0x0a]), Buffer.from('b')]);
  expect(await textLinesOf(bytes)).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: undefined },
    { number: 3, text: 'b' },
  ]);
});
