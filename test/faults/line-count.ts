import { readFile } from 'node:fs/promises';

/** Number of lines in a file. */
export async function lineCount(path: string): Promise<number> {
  return (await readFile(path, 'utf8')).split('\n').length - 1;
}
