import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/** Servers are often installed where only root's PATH looks. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Finds an installed program or library; undefined where there is none.
 *
 * @param name or, of a library, its whole path
 * @param path folders to look in, as in the environment's PATH
 */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of [...path.split(delimiter), ...MORE_FOLDERS]) {
    const file = resolve(folder, name);
    const isThere = await access(file, file === name ? constants.R_OK : constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder && isThere) return file;
  }
  return undefined;
}
