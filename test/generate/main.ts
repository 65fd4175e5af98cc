import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateAll, ROOT } from './generated.ts';

/*
 * npm run generate
 *
 * Writes what follows from something else in the repository, and prints the paths of the files that changed.
 */
for (const [path, text] of await generateAll()) {
  const file = join(ROOT, path);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`${path}\n`);
}
