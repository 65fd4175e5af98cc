import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WriteError } from './write-error.ts';

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
