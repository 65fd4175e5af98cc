import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withFileLock } from './with-file-lock.ts';

const held = () => new Error('somebody else');

async function lockFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'lock');
}

test('a lock excludes others during the work', async () => {
  const path = await lockFile();
  const result = await withFileLock(path, held, async () => {
    await expect(withFileLock(path, held, async () => 'inner')).rejects.toThrow('somebody else');
    return 'outer';
  });
  expect(result).toBe('outer');
  expect(await withFileLock(path, held, async () => 'after')).toBe('after');
});

test('a lock is released if the work fails', async () => {
  const path = await lockFile();
  const failing = withFileLock(path, held, async () => {
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await withFileLock(path, held, async () => 'after')).toBe('after');
});

test('a missing folder is another error', async () => {
  const path = join(await lockFile(), 'none', 'lock');
  await expect(withFileLock(path, held, async () => 'never')).rejects.toThrow('unable to open');
});
