import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Copies a checkout as it is, with uncommitted changes; installed packages are links to those of the checkout. Builds of the
 * copy are incremental.
 */
export function copyCheckout(from: string, to: string): void {
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard', '--deduplicate'], {
    cwd: from,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '' && isThere(join(from, file)));
  for (const file of files) cpSync(join(from, file), join(to, file));
  const options = join(to, 'tsconfig.base.json');
  const config = JSON.parse(readFileSync(options, 'utf8'));
  Object.assign(config.compilerOptions, OPTIONS);
  writeFileSync(options, JSON.stringify(config));
  for (const folder of globSync('{.,test,apps/*,packages/*}/node_modules', { cwd: from })) {
    linkPackages(join(from, folder), join(to, folder));
  }
}

/** Options of the compiler in a copy: what an edit leaves unused is no error. The output, which is cached, has what builds need. */
const OPTIONS = {
  noUnusedLocals: false,
  noUnusedParameters: false,
  allowUnreachableCode: true,
  incremental: true,
  tsBuildInfoFile: '${configDir}/dist/.tsbuildinfo',
};

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Leaves out caches. Links to workspaces stay relative, so that they lead to those of the copy. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name.startsWith('.') && entry.name !== '.bin') continue;
    const [old, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), copy);
    else if (entry.name.startsWith('@')) linkPackages(old, copy);
    else symlinkSync(old, copy);
  }
}
