import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './with-file-lock.ts';
import { WriteError } from './write-error.ts';

/** In a temporary folder: held by the process that works in it, as long as it lives. */
const LOCK = 'lock';

/** A folder without its lock is left alone for this long: its process may be about to take it. */
const YOUNG_MILLISECONDS = 60_000;

/** Another process holds the lock of a folder, which is the message. */
class TakenError extends Error {
  override name = 'TakenError';
}

/**
 * Runs `work` with a new temporary folder, which is removed afterwards. What processes left that were killed is
 * removed before: folders of this user and `prefix` whose lock nobody holds.
 *
 * @param prefix of the folder's name, such as `archive-tables-`
 * @throws WriteError when the folder cannot be made; what `work` throws
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await sweep(prefix);
  for (;;) {
    const folder = await mkdtemp(join(tmpdir(), prefix)).catch((error: unknown) => {
      throw new WriteError(`the folder of temporary files (TMPDIR), ${tmpdir()},`, error);
    });
    try {
      return await withFileLock(
        join(folder, LOCK),
        () => new TakenError(folder),
        () => work(folder),
      );
    } catch (error) {
      // A process that sweeps took the lock first: it removes this folder.
      if (!(error instanceof TakenError && error.message === folder)) throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Removes the folders of processes that are gone. One that cannot be removed is left to its owner. */
async function sweep(prefix: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const remove = () => rm(folder, { recursive: true, force: true });
    try {
      const { uid, mtimeMs } = await stat(folder);
      if (uid !== (process.getuid?.() ?? uid)) continue;
      const hasLock = await stat(join(folder, LOCK)).then(
        () => true,
        () => false,
      );
      if (hasLock) await withFileLock(join(folder, LOCK), () => new TakenError(name), remove);
      else if (Date.now() - mtimeMs > YOUNG_MILLISECONDS) await remove();
    } catch {
      // In use, or gone meanwhile.
    }
  }
}

/**
 * Makes a folder and those above it, where they are not there. Node's own `recursive` never comes to an end where a
 * folder is there and can hold none, as `/proc`.
 *
 * @throws WriteError when it cannot be made, or is something else
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw new WriteError(path, error);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
