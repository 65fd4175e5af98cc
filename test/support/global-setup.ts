import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './chromium.ts';
import { findMysqlServer } from './mysql-server.ts';
import { findNeeds, readNeeds } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the MySQL or MariaDB server, without a database; null if there is none. */
    mysqlUrl: string | null;
    /** The folder that records which archives were published once for all tests. */
    sharedArchives: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TURBO = fileURLToPath(new URL('../../node_modules/.bin/turbo', import.meta.url));

/**
 * Builds what has changed, because tests start the built programs, and finds the programs and servers that tests need:
 * once per run, even if several of its projects have this set-up.
 *
 * @throws Error with the output of the compiler if the build fails
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  if (run.getProvidedContext().found) return undefined;
  build();
  project.onTestsRerun(async () => build());

  const path = process.env['PATH'] ?? '';
  const needs = (await readNeeds()).map(({ name }) => name);
  const others = await findNeeds(needs, path);
  const browser = (await findBrowser(path)) ?? null;
  const server = await findMysqlServer(process.env);
  run.provide('needs', needs);
  run.provide('found', {
    ...others,
    ...(browser && { browser: browser.executablePath }),
    ...(server && { 'database-server': server.url }),
  });
  run.provide('browser', browser);
  run.provide('mysqlUrl', server?.url ?? null);
  const sharedArchives = await mkdtemp(join(tmpdir(), 'archive-shared-'));
  run.provide('sharedArchives', sharedArchives);
  return async () => {
    // Imported here, because its imports must be built first.
    const { dropSharedArchives } = await import('./shared-archives.ts');
    await dropSharedArchives(sharedArchives);
    await server?.stop();
  };
}

function build(): void {
  const arguments_ = ['run', 'build', '--output-logs=errors-only'];
  const { status, stdout } = spawnSync(TURBO, arguments_, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}`);
}
