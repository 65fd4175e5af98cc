import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const BUILT = new URL('../dist/assets/map.js', import.meta.url);

/** Builds the styles and scripts of pages, unless a build has done so: these tests run without a build. */
export async function setup(): Promise<void> {
  const sources = globSync('{assets,scripts}/*', { cwd: FOLDER }).map(
    (file) => statSync(FOLDER + file).mtimeMs,
  );
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < Math.max(...sources)) await import('../scripts/build-assets.ts');
}
