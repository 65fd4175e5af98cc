import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Servers are often installed where only root's PATH looks. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Finds an installed program; undefined where there is none.
 *
 * @param path folders to look in, as in the environment's PATH
 */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of [...path.split(delimiter), ...MORE_FOLDERS]) {
    const file = join(folder, name);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder && runs) return file;
  }
  return undefined;
}
