import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A database engine that the archive runs on. */
export type Engine = 'sqlite' | 'mysql';

/** An empty database of its own, and a folder that goes with it. */
export interface TestDatabase {
  engine: Engine;
  /** For `DATABASE_URL`. */
  url: string;
  /** A temporary folder; the SQLite file and the derived files are in it. */
  folder: string;
  /** Deletes all of it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database with a name that no other run has.
 *
 * @param server address of the MySQL or MariaDB server, which ends in `/`; null when there is none
 */
export async function createDatabase(engine: Engine, server: string | null): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-test-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if (engine === 'sqlite') {
    return { engine, url: `sqlite:${join(folder, 'archive.sqlite')}`, folder, drop: removeFolder };
  }
  if (server === null) throw new Error('there is no MySQL server in this run');
  const name = `archive_test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name}`);
  return {
    engine,
    url: server + name,
    folder,
    async drop() {
      await execute(server, `drop database ${name}`);
      await removeFolder();
    },
  };
}

async function execute(server: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: server });
  await connection.query(sql);
  await connection.end();
}
