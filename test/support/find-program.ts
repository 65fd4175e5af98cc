import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * Finds an installed program, or a file; undefined if it is missing.
 *
 * @param names a program, several alternatives (`a|b`), or the path of a file
 * @param path folders to search, in the format of PATH
 */
export async function findProgram(names: string, path: string): Promise<string | undefined> {
  for (const name of names.split('|')) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const file = resolve(folder, name);
      const isThere = await access(file, file === name ? constants.R_OK : constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return file;
    }
  }
  return undefined;
}
