import { join } from 'node:path';
import { createDerivedFiles } from '@archiefkast/archive-api/dist/derived/derived-files.js';
import { createDiskSpace } from '@archiefkast/archive-api/dist/publish/disk-space.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { configOf } from './database-of.ts';
import type { TestDatabase } from './test-database.ts';

/** The dependencies of publishing in this process, for a test database. */
export function publishing(prepared: Pick<TestDatabase, 'engine' | 'url' | 'folder'>, database: Database) {
  const derivedFolder = join(prepared.folder, 'derived');
  const derived = createDerivedFiles(database, { derivedFolder });
  return {
    database,
    derived,
    diskSpace: createDiskSpace(database, { database: configOf(prepared), derivedFolder }),
  };
}
