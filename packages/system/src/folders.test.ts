import { access, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, withTemporaryFolder } from './files.ts';

/** A unique prefix. */
async function ownPrefix(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-prefix-'));
  await rm(folder, { recursive: true });
  return `${basename(folder)}-`;
}

const foldersOf = async (prefix: string) =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));

test('a folder exists during the work, also if that fails', async () => {
  const prefix = await ownPrefix();
  const used = await withTemporaryFolder(prefix, async (folder) => {
    await writeFile(join(folder, 'file'), '');
    return folder;
  });
  await expect(access(used)).rejects.toThrow('ENOENT');
  await expect(
    withTemporaryFolder(prefix, async () => {
      throw new Error('no more');
    }),
  ).rejects.toThrow('no more');
  expect(await foldersOf(prefix)).toEqual([]);
});

async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'archive-system-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('creates a folder and its parents, safe to run concurrently', async () => {
  const path = join(await emptyFolder(), 'a', 'b');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'c'))]);
  expect((await stat(join(path, 'c'))).isDirectory()).toBe(true);
});

test('an existing file is an error that names it', async () => {
  const path = join(await emptyFolder(), 'a');
  await writeFile(path, '');
  await expect(makeFolder(path)).rejects.toThrow(`${path} cannot be written (EEXIST`);
  await expect(makeFolder(join(path, 'b'))).rejects.toThrow(`${path} cannot be written (EEXIST`);
});
