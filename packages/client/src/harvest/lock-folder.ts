import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderError } from '../errors/folder-error.ts';

/**
 * Runs `work` while no other process harvests into a journal folder. The lock is the operating system's, taken
 * through SQLite on an empty file: it ends with the process that holds it, however that ends.
 *
 * @param journalFolder must exist
 * @throws FolderError when another process holds the lock
 */
export async function withFolderLock<Result>(
  journalFolder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  using lock = new DatabaseSync(join(journalFolder, 'lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!(error instanceof Error && /locked|busy/i.test(error.message))) throw error;
    throw new FolderError(
      `${journalFolder}: another harvest into this folder is under way; wait for it, or harvest into another folder`,
      { cause: error },
    );
  }
  return await work();
}
