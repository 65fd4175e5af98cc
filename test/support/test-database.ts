import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, type SuiteOptions } from 'vitest';
import { createDatabase, type Engine, type TestDatabase } from './create-database.ts';
import { endAtLast } from './leftovers.ts';
import { needs } from './programs.ts';
import { publishOnce, type SharedBundle } from './shared-archives.ts';

export type { Engine, TestDatabase } from './create-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engines on which the tests of a project run. */
    engines: readonly Engine[];
  }
}

/** The engines of this project that this machine has: SQLite, and MySQL or MariaDB if there is a server. */
export const ENGINES: readonly Engine[] = inject('engines').filter(
  (engine) => engine === 'sqlite' || inject('mysqlUrl') !== null,
);

/** The needs of each engine. */
const NEEDS: Readonly<Record<Engine, readonly string[]>> = { sqlite: [], mysql: ['database-server'] };

/**
 * Defines tests that run on each engine of this project.
 *
 * @param name in which %s is the engine
 * @param options.needs needs of the tests in addition to the engine
 */
export function describeEngines(
  name: string,
  body: (engine: Engine) => void,
  { needs: more = [], ...options }: SuiteOptions & { needs?: readonly string[] } = {},
): void {
  for (const engine of inject('engines')) {
    const all = needs(...NEEDS[engine], ...more);
    describe(name.replace('%s', engine), { ...options, ...all }, () => body(engine));
  }
}

/** Creates an empty database on the server of this run, with a name that no other run uses. */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  return dropAtLast(await createDatabase(engine, inject('mysqlUrl')));
}

/**
 * The database into which a bundle was published once in this run. It is read-only, because other tests read it
 * concurrently. The folder is the caller's own, with a copy of the derived files.
 *
 * @throws Error with the output of the program if the bundle cannot be published
 */
export async function sharedDatabase(bundle: SharedBundle, engine: Engine): Promise<TestDatabase> {
  const published = await publishOnce(bundle, engine, inject('sharedArchives'), inject('mysqlUrl'));
  const folder = await mkdtemp(join(tmpdir(), 'archive-test-'));
  await cp(join(published.folder, 'derived'), join(folder, 'derived'), { recursive: true });
  const drop = () => rm(folder, { recursive: true, force: true });
  return dropAtLast({ ...published, folder, drop });
}

/** Drops a database after the tests of this file, unless that was done before. */
function dropAtLast(database: TestDatabase): TestDatabase {
  const forget = endAtLast(database.drop);
  return {
    ...database,
    async drop() {
      forget();
      await database.drop();
    },
  };
}
