import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './chromium.ts';
import { findMysqlServer } from './mysql-server.ts';
import { describeNeeds, findNeeds, howToGet, readNeeds } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the MySQL or MariaDB server, without a database; null if there is none. */
    mysqlUrl: string | null;
    /** The folder that records which archives were published once for all tests. */
    sharedArchives: string;
  }
}

/**
 * Finds the programs and servers that the tests need, once for the whole run.
 *
 * @throws Error if a run on CI lacks a required one
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const path = process.env['PATH'] ?? '';
  const needs = await readNeeds();
  const names = needs.map(({ name }) => name);
  const others = await findNeeds(names, path);
  const browser = (await findBrowser(path)) ?? null;
  const server = await findMysqlServer(process.env);
  const found = {
    ...others,
    ...(browser && { browser: browser.executablePath }),
    ...(server && { 'database-server': server.url }),
  };
  const missing = needs.filter(({ name, optional }) => !(name in found) && !optional);
  if (missing.length > 0 && process.env['CI']) {
    await server?.stop();
    const lacking = describeNeeds(missing.map(({ name }) => name));
    throw new Error([`This machine lacks ${lacking}.`, ...howToGet(missing)].join('\n'));
  }
  project.provide('needs', names);
  project.provide('found', found);
  project.provide('browser', browser);
  project.provide('mysqlUrl', server?.url ?? null);
  const sharedArchives = await mkdtemp(join(tmpdir(), 'archive-shared-'));
  project.provide('sharedArchives', sharedArchives);
  return async () => {
    // Imported here, because its imports must be built first.
    const { dropSharedArchives } = await import('./shared-archives.ts');
    await dropSharedArchives(sharedArchives);
    await server?.stop();
  };
}
