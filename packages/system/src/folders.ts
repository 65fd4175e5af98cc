import { statfsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { withFileLock } from './with-file-lock.ts';
import { WriteError } from './write-error.ts';

/** Lock file in a temporary folder, locked by its process. */
const LOCK = 'lock';

/** A folder without a lock is not removed for this long: its process may be about to lock it. */
const YOUNG_MILLISECONDS = 60_000;

/** A folder is locked by another process; the message is its path. */
class TakenError extends Error {
  override name = 'TakenError';
}

/**
 * Runs `work` with a new temporary folder, which is removed afterwards. Folders of killed processes are removed first: those
 * of this user and `prefix` that are not locked.
 *
 * @param prefix of the folder's name, such as `archive-tables-`
 * @throws WriteError if the folder cannot be created; what `work` throws
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
      // Another process locked the folder first, and removes it.
      if (!(error instanceof TakenError && error.message === folder)) throw error;
    } finally {
      await remove(folder);
    }
  }
}

/** Removes a folder. Another process may be removing it too, and has a file in it meanwhile. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes the folders of dead processes; failures are ignored. */
async function sweep(prefix: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    try {
      const { uid, mtimeMs } = await stat(folder);
      if (uid !== (process.getuid?.() ?? uid)) continue;
      const hasLock = await stat(join(folder, LOCK)).then(
        () => true,
        () => false,
      );
      if (hasLock)
        await withFileLock(
          join(folder, LOCK),
          () => new TakenError(name),
          () => remove(folder),
        );
      else if (Date.now() - mtimeMs > YOUNG_MILLISECONDS) await remove(folder);
    } catch {
      // In use, or removed meanwhile.
    }
  }
}

/**
 * Creates a folder and its parents, if they do not exist. Node's own `recursive` never ends below a folder that cannot have
 * any, such as `/proc`.
 *
 * @throws WriteError if it cannot be created, or is not a folder
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw new WriteError(path, error);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Free bytes for this user on the disk of a folder, or of its nearest existing ancestor; infinite if the file system does not
 * report its size.
 */
export function freeBytesOn(path: string): number {
  const { bavail, bsize, blocks } = statfsSync(existing(path));
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/** The folder, or its nearest existing ancestor. */
export function existing(path: string): string {
  const folder = resolve(path);
  return statSync(folder, { throwIfNoEntry: false }) ? folder : existing(dirname(folder));
}
