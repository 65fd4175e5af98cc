import { connect, type Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import type { DatabaseAddress } from '@archiefkast/archive-api/dist/storage/database-url.js';
import type { TestDatabase } from './test-database.ts';

export type { Database };

/** The configuration of the API for a test database. */
export function configOf({ engine, url }: Pick<TestDatabase, 'engine' | 'url'>): DatabaseAddress {
  return engine === 'sqlite' ? { engine, file: url.slice('sqlite:'.length) } : { engine, url };
}

/** Opens a second connection to a test database; the caller destroys the pool. */
export function openDatabase(database: TestDatabase): Database {
  return connect(configOf(database));
}
