import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../test-support/use-temporary-database.ts';
import { LockHeldError, withLock } from './lock.ts';

const { database, config } = useTemporaryDatabase({ tables: false });

const publish = { name: 'publish', waitSeconds: 0 } as const;

test('the work is done, and what it gives is given', async () => {
  expect(await withLock(database(), config(), publish, async () => 42)).toBe(42);
});

test('while one holds the lock, another is refused; then it is free, even after a failure', async () => {
  const work = async () => {
    const second = withLock(database(), config(), publish, async () => {});
    await expect(second).rejects.toThrow(LockHeldError);
    throw new Error('the work failed');
  };
  await expect(withLock(database(), config(), publish, work)).rejects.toThrow('the work failed');
  expect(await withLock(database(), config(), publish, async () => 'free')).toBe('free');
});

test('locks of other names do not mind each other', async () => {
  const migrate = { name: 'migrate', waitSeconds: 0 } as const;
  const inner = () => withLock(database(), config(), migrate, async () => 'both');
  expect(await withLock(database(), config(), publish, inner)).toBe('both');
});

test('a process that ends by force does not leave the lock held', async () => {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    const lock = new DatabaseSync(process.argv[1]);
    lock.exec('BEGIN EXCLUSIVE');
    process.kill(process.pid, 'SIGKILL');
  `;
  await withLock(database(), config(), publish, async () => {});
  const file = `${config().file}.publish-lock`;
  const killed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, file]);
  await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(await withLock(database(), config(), publish, async () => 'free')).toBe('free');
});
