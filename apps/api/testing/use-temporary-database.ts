import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { connect, type Database } from '../src/storage/connect.ts';
import { migrate } from '../src/storage/schema.ts';

/** An SQLite database of its own for every test. */
export interface TemporaryDatabase {
  database(): Database;
  /** Its configuration; the file is the only one in its folder. */
  config(): { engine: 'sqlite'; file: string };
}

/** Gives every test of the file an SQLite database with its tables in a temporary folder. */
export function useTemporaryDatabase(): TemporaryDatabase {
  let folder: string;
  let database: Database;
  const config = () => ({ engine: 'sqlite' as const, file: join(folder, 'archive.sqlite') });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-unit-'));
    database = connect(config());
    await migrate(database);
  });
  afterEach(async () => {
    await database.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  return { database: () => database, config };
}
