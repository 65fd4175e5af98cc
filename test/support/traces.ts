import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Output of builds and installations, and git. */
const NOT_LOOKED_AT = new Set(['node_modules', 'dist', '.turbo', '.git']);

/** The files that a run of tests leaves behind. */
export interface Traces {
  /** Removes the temporary folder of the run. @returns a sentence per file left in it or changed in the checkout */
  end(): string[];
}

/**
 * Gives the tests of a run one temporary folder, as TMPDIR, and lists the files of the checkout.
 *
 * @param changes whether modified files count too: not while somebody may be editing them
 */
export function watchTraces({ changes }: { changes: boolean }): Traces {
  const folder = mkdtempSync(join(tmpdir(), 'archive-tests-'));
  // Some tests run a program as another user.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  // Node's compile cache, kept here so that programs also start faster in the next run.
  process.env['NODE_COMPILE_CACHE'] = join(ROOT, 'node_modules/.cache/node-compile');
  const before = listCheckout(changes);
  return {
    end() {
      const left = readdirSync(folder).map((name) => `The tests left ${name} in their temporary folder.`);
      rmSync(folder, { recursive: true, force: true });
      const after = listCheckout(changes);
      const fresh = [...after].filter((file) => !before.has(file));
      const gone = [...before].filter((file) => !after.has(file));
      const changed = [...new Set([...fresh, ...gone].map((file) => file.split('\t')[0]))];
      return [...left, ...changed.map((path) => `The tests changed ${path} in the checkout.`)];
    },
  };
}

/** Every file and folder of the checkout; with the time of its last change if that counts. */
function listCheckout(changes: boolean): Set<string> {
  const found = new Set<string>();
  const look = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (NOT_LOOKED_AT.has(entry.name)) continue;
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      found.add(`${relative(ROOT, path)}${changes && !isFolder ? `\t${lstatSync(path).mtimeMs}` : ''}`);
      if (isFolder) look(path);
    }
  };
  look(ROOT);
  return found;
}
