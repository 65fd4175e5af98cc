import { statfsSync, statSync } from 'node:fs';
import { mkdir, mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { WriteError } from './write-error.ts';

/**
 * Runs `work` with a new temporary folder, which is removed afterwards; a killed process leaves it.
 *
 * @param prefix of the folder's name, such as `archive-tables-`
 * @throws WriteError if the folder cannot be created; what `work` throws
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await using folder = await mkdtempDisposable(join(tmpdir(), prefix)).catch((error: unknown) => {
    throw new WriteError(`the folder of temporary files (TMPDIR), ${tmpdir()},`, error);
  });
  return await work(folder.path);
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
