import { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` with an exclusive lock on a file. It is an operating system lock, taken by SQLite on an empty file, which is
 * created: it is released when the process ends, however that happens.
 *
 * @param path of the file; its folder must exist
 * @param locked creates the error if another process has the lock
 * @throws the error of `locked`
 */
export async function withFileLock<Result>(
  path: string,
  locked: (cause: Error) => Error,
  work: () => Promise<Result>,
): Promise<Result> {
  using lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw error instanceof Error && /locked|busy/i.test(error.message) ? locked(error) : error;
  }
  return await work();
}
