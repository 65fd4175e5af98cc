import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { listEditionIds } from '@archiefkast/archive-api/dist/storage/edition.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../support/database-of.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { publishing } from '../support/publishing.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

describeEngines('a publish of what is served (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let bundle: string;
  let written: string[];
  beforeEach(async () => {
    prepared = await createTestDatabase(engine);
    database = openDatabase(prepared);
    await migrate(database);
    bundle = await writeFixture(join(prepared.folder, 'bundle'));
    await publish(bundle, options());
    written = [];
    database.on('query', ({ sql }) => {
      if (!/^select/i.test(sql)) written.push(sql);
    });
  });
  afterEach(async () => {
    await database.destroy();
    await prepared.drop();
  });

  const options = () => ({ ...publishing(prepared, database), keep: 2 });
  const files = () => readdir(join(prepared.folder, 'derived'), { recursive: true });

  test('writes no row and no file, and takes no lease', async () => {
    const before = await files();
    const onWait = () => expect.unreachable('there is no lease to wait for');
    const { edition, isUnchanged, swept } = await publish(bundle, { ...options(), onWait });
    expect([edition.id, isUnchanged, swept]).toEqual([1, true, []]);
    expect(written).toEqual([]);
    expect(await files()).toEqual(before);
  });

  test('makes an edition all the same if it is forced to', async () => {
    const { edition, isUnchanged } = await publish(bundle, { ...options(), force: true });
    expect([edition.id, isUnchanged]).toEqual([2, false]);
  });

  test('deletes editions that are not to be kept, and what a killed publish left', async () => {
    await publish(bundle, { ...options(), force: true });
    expect((await publish(bundle, { ...options(), keep: 1 })).swept).toEqual([1]);
    expect(await listEditionIds(database)).toEqual([2]);
    await database('editions').insert({ key: 'left', status: 'writing', fence: 0 });
    expect((await publish(bundle, options())).isUnchanged).toBe(true);
    expect(await database('editions').pluck('id')).toEqual([2]);
  });

  test.each([
    [
      'another order of lines',
      'persons.jsonl',
      (text: string) => text.trimEnd().split('\n').toReversed().join('\n'),
    ],
    ['spaces', 'events.jsonl', (text: string) => text.replaceAll('","', '", "')],
  ])(
    'recognizes the same content with %s, and next time before anything is written',
    async (_, name, change) => {
      const file = join(bundle, name);
      await writeFile(file, change(await readFile(file, 'utf8')));
      expect((await publish(bundle, options())).isUnchanged).toBe(true);
      expect(await database('editions').pluck('id')).toEqual([1]);
      written = [];
      expect((await publish(bundle, options())).isUnchanged).toBe(true);
      expect(written).toEqual([]);
    },
  );

  test('makes an edition for another description of the archive', async () => {
    const titles = { nl: 'Een ander archief', en: 'Another archive' };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title: titles }));
    const { edition, isUnchanged } = await publish(bundle, options());
    expect([edition.id, isUnchanged]).toEqual([2, false]);
  });
});
