import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../test-support/use-temporary-database.ts';
import { isSqlite } from './connect.ts';
import { migrate } from './migrate.ts';

const { database, config } = useTemporaryDatabase({ tables: false });

test('an empty database gets its tables, once', async () => {
  expect((await migrate(database(), config()))[0]).toBe('0001-editions');
  for (const table of ['editions', 'served', 'records', 'texts', 'links']) {
    expect(await database().schema.hasTable(table), table).toBe(true);
  }
  expect(await migrate(database(), config())).toEqual([]);
});

test('what a process killed while migrating left behind does not stop the next one', async () => {
  await migrate(database(), config());
  await database()('knex_migrations_lock').update({ is_locked: 1 });
  await database()('knex_migrations').del();
  for (const table of ['links', 'texts', 'records', 'served', 'editions']) {
    await database().schema.dropTableIfExists(table);
  }
  expect((await migrate(database(), config()))[0]).toBe('0001-editions');
});

test('the database is SQLite', () => {
  expect(isSqlite(database())).toBe(true);
});

test('large whole numbers and any text come back as they were stored', async () => {
  await migrate(database(), config());
  const id = Number.MAX_SAFE_INTEGER;
  const uuid = '🏛 é é "\\ $1';
  const row = { edition: 1, kind: 'person', position: 1, id, uuid };
  const columns = await database()('records').columnInfo();
  await database()('records').insert('digest' in columns ? { ...row, digest: 'x' } : row);
  expect(await database()('records').first('id', 'uuid')).toEqual({ id, uuid });
});
