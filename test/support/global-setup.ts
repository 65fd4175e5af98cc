import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findMysqlServer, HOW_TO_GET_MYSQL } from './mysql-server.ts';
import { findPrograms, type Installed, NEEDED_ON_CI, packagesOf, TEST_PROGRAMS } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the MySQL or MariaDB server, without a database; null when there is none. */
    mysqlUrl: string | null;
    /** Those of `TEST_PROGRAMS` that are installed: where they are. */
    programs: Installed;
    /** The Debian packages of those that are not. */
    missingPackages: readonly string[];
    /** The folder that notes which archives have been published once for all tests. */
    sharedArchives: string;
  }
}

/**
 * Finds the MySQL or MariaDB server, and the programs that tests start, once for the whole run.
 *
 * @throws Error when what must not go missing on CI does
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = await findPrograms(TEST_PROGRAMS, process.env['PATH'] ?? '');
  const missing = TEST_PROGRAMS.filter((name) => !programs[name]);
  const needed = missing.filter((name) => NEEDED_ON_CI.includes(name));
  if (needed.length > 0 && process.env['CI']) {
    throw new Error(`These programs are missing, without which nothing is proved: ${needed.join(', ')}.`);
  }
  const server = await findMysqlServer(process.env);
  if (!server && process.env['CI']) {
    throw new Error(`There is no MySQL or MariaDB server for the tests. ${HOW_TO_GET_MYSQL}`);
  }
  project.provide('mysqlUrl', server?.url ?? null);
  project.provide('programs', programs);
  project.provide('missingPackages', await packagesOf(missing));
  const sharedArchives = await mkdtemp(join(tmpdir(), 'archive-shared-'));
  project.provide('sharedArchives', sharedArchives);
  return async () => {
    // Loaded when what it imports has been built.
    const { dropSharedArchives } = await import('./shared-archives.ts');
    await dropSharedArchives(sharedArchives);
    await server?.stop();
  };
}
