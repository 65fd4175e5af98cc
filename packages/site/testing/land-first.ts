import { statSync } from 'node:fs';

const LAND = new URL('../dist/assets/land.json', import.meta.url);
const SCRIPT = new URL('../scripts/write-land.ts', import.meta.url);

/** Writes the land of the maps, which pages read, unless a build has done so: these tests run without a build. */
export async function setup(): Promise<void> {
  const written = statSync(LAND, { throwIfNoEntry: false });
  if (!written || written.mtimeMs < statSync(SCRIPT).mtimeMs) await import('../scripts/write-land.ts');
}
