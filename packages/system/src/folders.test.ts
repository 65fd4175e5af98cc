import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, withTemporaryFolder } from './folders.ts';

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

test('folders of killed processes are removed; a folder in use is not', async () => {
  const prefix = await ownPrefix();
  const module = new URL('./folders.ts', import.meta.url).href;
  const code = `const { withTemporaryFolder } = await import(${JSON.stringify(module)});
    await withTemporaryFolder(${JSON.stringify(prefix)}, (folder) => {
      console.log(folder);
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await withTemporaryFolder(prefix, async () => expect(await foldersOf(prefix)).toHaveLength(2));
  expect(await foldersOf(prefix)).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await withTemporaryFolder(prefix, async () => expect(await foldersOf(prefix)).toHaveLength(1));
  expect(await foldersOf(prefix)).toEqual([]);
});

test('a folder whose process has not taken its lock yet is left alone for a minute', async () => {
  const prefix = await ownPrefix();
  const young = join(tmpdir(), `${prefix}young`);
  await mkdir(young);
  await withTemporaryFolder(prefix, async () => expect(await foldersOf(prefix)).toHaveLength(2));
  const old = new Date(Date.now() - 61_000);
  await utimes(young, old, old);
  await withTemporaryFolder(prefix, async () => expect(await foldersOf(prefix)).toHaveLength(1));
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
