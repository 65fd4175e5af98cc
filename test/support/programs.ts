import { readFile } from 'node:fs/promises';
import { findProgram } from './find-program.ts';

/** Where programs are installed, by name. */
export type Installed = Readonly<Record<string, string>>;

/**
 * What the tests start beside the project's own programs, by the names of `.ci/programs` (`a|b`: either); what runs without one of them is
 * not run, and said so.
 */
export const TEST_PROGRAMS = [
  'varnishd',
  'haproxy',
  'nginx',
  'openssl',
  'chromium|google-chrome',
  'systemd-analyze',
  'logrotate',
  'unshare',
  'sqlite3',
  'mariadb-dump|mysqldump',
  'python3',
];

/** Without these, a run on CI has failed. */
export const NEEDED_ON_CI = ['chromium|google-chrome'];

/** Finds those of the programs that are installed. */
export async function findPrograms(names: readonly string[], path: string): Promise<Installed> {
  const found: Record<string, string> = {};
  for (const name of names) {
    for (const program of name.split('|')) {
      const file = await findProgram(program, path);
      if (file) found[name] ??= file;
    }
  }
  return found;
}

/** The Debian packages that have these programs, as `.ci/programs` lists them. @throws Error for one it lacks */
export async function packagesOf(names: readonly string[]): Promise<string[]> {
  const list = await readFile(new URL('../../.ci/programs', import.meta.url), 'utf8');
  const lines = list.split('\n').filter((line) => line && !line.startsWith('#'));
  const packages = new Map(lines.map((line) => line.split(' ', 2) as [string, string]));
  return names.map((name) => {
    const found = packages.get(name);
    if (found === undefined) throw new Error(`.ci/programs does not say which package has ${name}`);
    return found;
  });
}
