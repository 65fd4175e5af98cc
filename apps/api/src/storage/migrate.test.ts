import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { isSqlite } from './connect.ts';
import { readArchiveId } from './edition.ts';
import { migrate, readMigrationState } from './migrate.ts';

const { database } = useTemporaryDatabase({ tables: false });

test('creates the tables of an empty database once', async () => {
  expect(await readMigrationState(database())).toMatchObject({ isEmpty: true });
  expect(await migrate(database())).toEqual(['0001-editions', '0002-leases', '0003-incremental']);
  for (const table of [
    'editions',
    'served',
    'records',
    'texts',
    'links',
    'leases',
    'archive',
    'blocks',
    'changes',
  ]) {
    expect(await database().schema.hasTable(table), table).toBe(true);
  }
  expect(await readMigrationState(database())).toEqual({ pending: [], isEmpty: false });
  expect(await migrate(database())).toEqual([]);
});

test('ignores the lock of a killed migration', async () => {
  await migrate(database());
  await database()('knex_migrations_lock').update({ is_locked: 1 });
  await database()('knex_migrations').where({ name: '0002-leases' }).del();
  expect(await migrate(database())).toEqual(['0002-leases']);
});

test('the id of an archive does not change', async () => {
  await migrate(database());
  const id = await readArchiveId(database());
  expect(id).toHaveLength(randomUUID().length);
  await database()('knex_migrations').del();
  await migrate(database());
  expect(await readArchiveId(database())).toBe(id);
  await database()('archive').del();
  await expect(readArchiveId(database())).rejects.toThrow('the table archive has no row');
});

test('the database is SQLite', () => {
  expect(isSqlite(database())).toBe(true);
});

test('large integers and any text are stored unchanged', async () => {
  await migrate(database());
  const id = Number.MAX_SAFE_INTEGER;
  const uuid = '🏛 é é "\\ $1';
  await database()('records').insert({ edition: 1, kind: 'person', position: 1, id, uuid, digest: 'x' });
  expect(await database()('records').first('id', 'uuid')).toEqual({ id, uuid });
});
