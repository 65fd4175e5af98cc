import { DatabaseSync } from 'node:sqlite';
import { INDEX_FORMAT } from '../file/index-file.ts';

/** Page cache in bytes: more is faster. */
const PAGE_BYTES = 8 * 2 ** 20;

/**
 * Writes an index file that is new or a copy, without a journal: if this fails, the file is useless. It is marked as an index
 * when it is complete, and what was deleted in it is overwritten.
 */
export async function fillIndex(
  file: string,
  write: (database: DatabaseSync) => Promise<void>,
): Promise<void> {
  // A defensive connection keeps a journal.
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${PAGE_BYTES / 1024};
    BEGIN`);
  await write(database);
  database.exec('COMMIT');
  database.exec(`PRAGMA user_version = ${INDEX_FORMAT}`);
}
