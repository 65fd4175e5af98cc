import { connect, type Database } from '../../apps/api/dist/storage/connect.js';
import type { TestDatabase } from './test-database.ts';

export type { Database };

/** Opens a second connection to a test database; the caller destroys the pool. */
export function openDatabase({ engine, url }: TestDatabase): Database {
  return connect(engine === 'sqlite' ? { engine, file: url.slice('sqlite:'.length) } : { engine, url });
}
