import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../support/database-of.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { publishing } from '../support/publishing.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

const TABLES = ['editions', 'records', 'texts', 'links', 'blocks', 'changes', 'served'];
const GONE = { id: 2, uuid: uuidOf('person', 2), last_name: 'Verdwenen' };

describeEngines('a record that is taken down (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    prepared = await createTestDatabase(engine);
    database = openDatabase(prepared);
    await migrate(database);
  });
  afterEach(async () => {
    await database.destroy();
    await prepared.drop();
  });

  const publishPersons = async (keep: number, ...person: object[]) => {
    const bundle = await writeBundle(join(prepared.folder, 'bundle'), { person });
    await publish(bundle, { ...publishing(prepared, database), keep });
  };
  /** Where the record is: tables and derived files. */
  const traces = async () => {
    const found: string[] = [];
    for (const table of TABLES) {
      const rows = JSON.stringify(await database(table));
      if (rows.includes(GONE.uuid) || rows.includes(GONE.last_name)) found.push(table);
    }
    const folder = join(prepared.folder, 'derived');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = (await readFile(join(entry.parentPath, entry.name))).toString('latin1').toLowerCase();
      if (bytes.includes(GONE.last_name.toLowerCase())) found.push('derived');
    }
    return found;
  };
  const others = (last_name: string) => [1, 3].map((id) => ({ id, uuid: uuidOf('person', id), last_name }));

  test('is in no table and no file after a publish with keep 1', async () => {
    await publishPersons(2, ...others('Vos'), GONE);
    expect(await traces()).toEqual(['records', 'texts', 'derived']);
    await publishPersons(1, ...others('Vos'));
    expect(await traces()).toEqual([]);
  });

  test('is named by the changes as long as the edition that had it is kept', async () => {
    await publishPersons(2, ...others('Vos'), GONE);
    await publishPersons(2, ...others('Vos'));
    expect(await database('changes').select('edition', 'kind', 'change', 'uuids')).toEqual([
      { edition: 2, kind: 'person', change: 'removed', uuids: GONE.uuid },
    ]);
    await publishPersons(2, ...others('Wolf'));
    expect(await database('changes').select('edition', 'change')).toEqual([
      { edition: 3, change: 'changed' },
    ]);
    expect(await database('editions').orderBy('id').pluck('compared_with')).toEqual([null, 2]);
    expect((await traces()).filter((trace) => trace !== 'derived')).toEqual([]);
  });
});
