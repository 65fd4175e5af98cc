import { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` while no other process holds the lock of a file. The lock is the operating system's, taken through
 * SQLite on an empty file, which is made: it ends with the process that holds it, however that ends.
 *
 * @param path of the file; its folder must exist
 * @param held makes the error that says that another process holds the lock
 * @throws the error that `held` makes
 */
export async function withFileLock<Result>(
  path: string,
  held: (cause: Error) => Error,
  work: () => Promise<Result>,
): Promise<Result> {
  using lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw error instanceof Error && /locked|busy/i.test(error.message) ? held(error) : error;
  }
  return await work();
}
