import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { runApiHere, serveHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type Database, openDatabase } from '../support/database-of.ts';
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

describeEngines('a database of another release (%s)', (engine) => {
  let database: TestDatabase;
  let bundle: string;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    bundle = await writeFixture(join(database.folder, 'bundle'));
  });

  async function change(statements: readonly string[]): Promise<void> {
    const open: Database = openDatabase(database);
    for (const statement of statements) await open.raw(statement);
    await open.destroy();
  }

  /** Every table with its rows, and the bytes of the file if there is one. */
  const state = async () => {
    const file = engine === 'sqlite' ? await readFile(database.url.slice('sqlite:'.length)) : undefined;
    return { tables: await readTables(database), file };
  };

  const refusal = (release: string) =>
    `archive-api: DATABASE_URL: this database was made by ${release} of archive-api, which this release cannot read. ` +
    'Set DATABASE_URL to a new file or an empty database, and run archive-api publish with the bundle; this one was not changed.\n';

  /** Runs every command that opens a database. */
  async function expectRefused(release: string): Promise<void> {
    const before = await state();
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
      ['extract', join(database.folder, 'exported')],
    ]) {
      const settings = settingsFor(database, { PORT: `${await freePort()}` });
      expect(await runApiHere(args, settings), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr: refusal(release),
      });
    }
    expect(await state()).toEqual(before);
  }

  test('release 1 is refused with what to do, and is not changed', { timeout: 60_000 }, async () => {
    await change(RELEASE_1);
    await expectRefused('release 1');
  });

  test.each([
    ['a number of its own', 'update archive set schema_number = 7', 'schema 7'],
    ['no number', 'alter table archive drop column schema_number', 'schema without a number'],
  ])(
    'a schema with %s is refused with what to do, and is not changed',
    { timeout: 60_000 },
    async (_, statement, schema) => {
      await runApiHere(['publish', bundle], settingsFor(database));
      await change([statement]);
      await expectRefused(`another release (${schema}; this one has schema 6)`);
    },
  );

  test('tables of another schema that a killed program left unfinished are not completed', async () => {
    await runApiHere(['migrate'], settingsFor(database));
    await change(['update archive set schema_number = 7', 'drop table leases', 'drop table gone']);
    await expectRefused('another release (schema 7; this one has schema 6)');
  });

  test('a server answers nothing from a database that took the place of its own', async () => {
    await runApiHere(['publish', bundle], settingsFor(database));
    const { origin, stop } = await serveHere(database, { LOG_LEVEL: 'silent' });
    const list = async () => (await fetch(`${origin}/en/api/persons`)).status;
    expect(await list()).toBe(200);
    await change(['update archive set schema_number = 7']);
    await vi.waitFor(async () => expect(await list()).toBe(503), 10_000);
    await stop();
  });

  test('the ids of texts stay the same with one more language', async () => {
    await runApiHere(['publish', bundle], settingsFor(database));
    const tables = await readTables(database);
    const parts = new Map<unknown, number[]>();
    for (const { version, kind } of tables.get('versions') ?? []) {
      const ids = (tables.get('texts') ?? []).map(({ id }) => (Number(id) - Number(version)) / 2 ** 40);
      parts.set(kind, [...(parts.get(kind) ?? []), ...ids.filter(Number.isInteger)]);
    }
    const found = [...parts].map(([kind, ids]) => [kind, [...new Set(ids)].toSorted((a, b) => a - b)]);
    // Sixteen for each text kind: events, locations, persons, subjects, and then events as locations list them.
    expect(found.toSorted()).toEqual([
      [0, [0, 1, 64, 65]],
      [1, [16, 17]],
      [2, [32, 33]],
      [3, [48, 49]],
    ]);
  });
});
