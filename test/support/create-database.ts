import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A database engine that the archive runs on. */
export type Engine = 'sqlite' | 'mysql';

/** Where a database is. */
export interface DatabasePlace {
  engine: Engine;
  /** For `DATABASE_URL`. */
  url: string;
  /** A temporary folder; the SQLite file and the derived files are in it. */
  folder: string;
}

/** An empty database of its own, and a folder that goes with it. */
export interface TestDatabase extends DatabasePlace {
  /** Deletes all of it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database with a name that no other run has.
 *
 * @param server address of the MySQL or MariaDB server, which ends in `/`; null when there is none
 */
export async function createDatabase(engine: Engine, server: string | null): Promise<TestDatabase> {
  const place = await createPlace(engine, server);
  return { ...place, drop: () => dropDatabase(place) };
}

async function createPlace(engine: Engine, server: string | null): Promise<DatabasePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-test-'));
  if (engine === 'sqlite') return { engine, url: `sqlite:${join(folder, 'archive.sqlite')}`, folder };
  if (server === null) throw new Error('there is no MySQL server in this run');
  const name = `archive_test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name}`);
  return { engine, url: server + name, folder };
}

/** Deletes a database that `createDatabase` made, and its folder. */
export async function dropDatabase({ engine, url, folder }: DatabasePlace): Promise<void> {
  if (engine === 'mysql') await execute(url, `drop database ${new URL(url).pathname.slice(1)}`);
  await rm(folder, { recursive: true, force: true });
}

async function execute(server: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: server });
  await connection.query(sql);
  await connection.end();
}
