import { inject } from 'vitest';
import { createDatabase, type Engine, type TestDatabase } from './create-database.ts';
import { endAtLast } from './leftovers.ts';

export type { Engine, TestDatabase } from './create-database.ts';

/** The engines of this run: SQLite, and MySQL or MariaDB where there is a server. */
export const ENGINES: readonly Engine[] = inject('mysqlUrl') === null ? ['sqlite'] : ['sqlite', 'mysql'];

/** Makes an empty database on the server of this run, with a name that no other run has. */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await createDatabase(engine, inject('mysqlUrl'));
  const forget = endAtLast(database.drop);
  return {
    ...database,
    async drop() {
      forget();
      await database.drop();
    },
  };
}
