import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseConfig } from '../config.ts';
import type { Database } from './connect.ts';

/** Which lock of a database, and how long to wait for it. */
export interface LockOptions {
  name: 'publish' | 'migrate';
  waitSeconds: number;
}

/** Another process holds the lock. */
export class LockHeldError extends Error {
  override name = 'LockHeldError';

  constructor({ name, waitSeconds }: LockOptions) {
    super(`another process holds the ${name} lock of this database; waited ${waitSeconds} s for it`);
  }
}

/**
 * Runs `work` while no other process holds the lock of that name of the same database. The lock ends with the
 * process that holds it, however that ends: it is the operating system's (SQLite) or the connection's (MySQL,
 * MariaDB).
 *
 * @throws LockHeldError when another process holds the lock, and went on doing so
 */
export async function withLock<Result>(
  database: Database,
  config: DatabaseConfig,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return config.engine === 'sqlite'
    ? withFileLock(config.file, options, work)
    : withNamedLock(database, config.url, options, work);
}

async function withFileLock<Result>(
  file: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new DatabaseSync(`${file}.${options.name}-lock`, { timeout: options.waitSeconds * 1000 });
  try {
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (error instanceof Error && /locked|busy/i.test(error.message)) throw new LockHeldError(options);
      throw error;
    }
    return await work();
  } finally {
    lock.close();
  }
}

async function withNamedLock<Result>(
  database: Database,
  url: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  // A lock's name holds for the whole server and has at most 64 characters.
  const schema = createHash('sha256').update(new URL(url).pathname).digest('hex').slice(0, 40);
  const lock = `archive-${options.name}-${schema}`;
  const connection = await database.client.acquireConnection();
  try {
    const [rows] = await database
      .raw('select get_lock(?, ?) as held', [lock, options.waitSeconds])
      .connection(connection);
    if (Number(rows[0]?.held) !== 1) throw new LockHeldError(options);
    try {
      return await work();
    } finally {
      await database.raw('select release_lock(?)', [lock]).connection(connection);
    }
  } finally {
    await database.client.releaseConnection(connection);
  }
}
