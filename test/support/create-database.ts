import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A database engine that the archive runs on. */
export type Engine = 'sqlite' | 'mysql';

/** The location of a database. */
export interface DatabasePlace {
  engine: Engine;
  /** The value of `DATABASE_URL`. */
  url: string;
  /** A temporary folder with the SQLite file and the derived files. */
  folder: string;
}

/** An empty database, with its folder. */
export interface TestDatabase extends DatabasePlace {
  /** Deletes the database and its folder. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database with a name that no other run uses.
 *
 * @param server address of the MySQL or MariaDB server, ending in `/`; null if there is none
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
