import { readFile } from 'node:fs/promises';

/** The version of archive-cli, from its package.json. */
export async function readVersion(): Promise<string> {
  const description: unknown = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const isKnown = typeof description === 'object' && description !== null && 'version' in description;
  if (!isKnown) throw new Error('the package.json of archive-cli names no version');
  return String(description.version);
}
