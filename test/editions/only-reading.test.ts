import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { needs } from '../support/programs.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
const prepare = async (engine: TestDatabase['engine']) => {
  database = await createTestDatabase(engine);
  await publishHere(database, await writeFixture(join(database.folder, 'bundle')));
};
describe('a read-only user (mysql)', needs('database-server'), () => {
  const engine = 'mysql';
  let user: string;
  const asReader = (): TestDatabase => {
    const url = new URL(database.url);
    url.username = user;
    url.password = 'reader';
    return { ...database, url: url.href };
  };
  const asRoot = async (...statements: string[]) => {
    const root = openDatabase(database);
    for (const statement of statements) await root.raw(statement);
    await root.destroy();
  };
  beforeAll(async () => {
    await prepare(engine);
    user = `reader_${randomBytes(6).toString('hex')}`;
    const schema = new URL(database.url).pathname.slice(1);
    await asRoot(
      `create user '${user}'@'%' identified by 'reader'`,
      `grant select on ${schema}.* to '${user}'@'%'`,
    );
  });
  afterAll(() => asRoot(`drop user '${user}'@'%'`));

  test('can serve, and list the editions', async () => {
    const server = await serveDatabase(asReader());
    expect((await server.fetch('/en/api/search?q=saturnus')).status).toBe(200);
    expect((await server.fetch('/nl/api/events?edition=1')).status).toBe(200);
    await server.stop();
    expect(await runApiHere(['editions'], settingsFor(asReader()))).toMatchObject({ code: 0, stderr: '' });
  });

  test('gets the user that may write from what writes', async () => {
    const bundle = join(database.folder, 'bundle');
    for (const args of [
      ['publish', bundle, '--force'],
      ['switch', '1'],
    ]) {
      const { code, stdout, stderr } = await runApiHere(args, settingsFor(asReader()));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        'archive-api: DATABASE_URL: this user may not write to the database; publish, switch and rollback need one that may (archive_publish): ',
      );
    }
  });

  test('gets the command to run if there are no tables', async () => {
    await asRoot('drop table archive');
    const { code, stderr } = await runApiHere(['serve'], settingsFor(asReader()));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the database has no tables yet; run archive-api migrate, or archive-api publish',
    );
  });
});

describeEngines('starting (%s)', (engine) => {
  beforeAll(() => prepare(engine));

  /** Every row, and the bytes of the file if there is one. */
  const state = async () => {
    const file = engine === 'sqlite' ? await readFile(database.url.slice('sqlite:'.length)) : '';
    return { tables: await readTables(database), bytes: createHash('sha256').update(file).digest('hex') };
  };

  test('serving, and listing the editions, writes nothing', async () => {
    const before = await state();
    const server = await serveDatabase(database);
    await server.fetch('/en/api/persons');
    await server.stop();
    await runApiHere(['editions'], settingsFor(database));
    expect(await state()).toEqual(before);
  });
});
