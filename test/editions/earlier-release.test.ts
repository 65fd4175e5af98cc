import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { freePort } from '../support/free-port.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

/** What release 1.0.0 wrote: the migration that it recorded, and tables that had fewer columns. */
const RELEASE_1 = [
  'create table knex_migrations (id integer primary key, name varchar(255), batch integer, migration_time datetime)',
  "insert into knex_migrations values (1, '0001-editions', 1, null)",
  'create table editions (id integer primary key, `key` varchar(36), status varchar(9), published_at varchar(24))',
  "insert into editions values (1, '6f1f5c7e-0000-4000-8000-000000000000', 'published', '2026-11-21T20:21:23.000Z')",
  'create table served (slot integer primary key, edition integer)',
  'insert into served values (1, 1)',
];

describeEngines('a database of release 1 (%s)', (engine) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    const open = openDatabase(database);
    for (const statement of RELEASE_1) await open.raw(statement);
    await open.destroy();
  });

  /** Every table with its rows, and the bytes of the file if there is one. */
  const state = async () => {
    const file = engine === 'sqlite' ? await readFile(database.url.slice('sqlite:'.length)) : undefined;
    return { tables: await readTables(database), file };
  };

  test('is refused with what to do, and is not changed', { timeout: 60_000 }, async () => {
    const before = await state();
    expect(before.tables.size).toBe(3);
    const bundle = await writeFixture(join(database.folder, 'bundle'));
    for (const args of [
      ['publish', bundle],
      ['publish', bundle, '--force', '--keep', '1'],
      ['serve'],
      ['serve', '--sample'],
      ['migrate'],
      ['editions'],
      ['switch', '1'],
      ['rollback'],
      ['index'],
      ['export', join(database.folder, 'exported')],
    ]) {
      const settings = settingsFor(database, { PORT: `${await freePort()}` });
      expect(await runApiHere(args, settings), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'archive-api: DATABASE_URL: this database was made by release 1 of archive-api, which this release cannot read. ' +
          'Set DATABASE_URL to a new file or an empty database, and publish the bundle into that; this one was not changed.\n',
      });
    }
    expect(await state()).toEqual(before);
  });
});
