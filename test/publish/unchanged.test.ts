import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { readTables } from '../support/read-tables.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

describeEngines('a publish of what is served (%s)', (engine) => {
  let prepared: TestDatabase;
  let bundle: string;
  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
    bundle = await writeFixture(join(prepared.folder, 'bundle'));
    await publishHere(prepared, bundle);
  });

  const publish = async (keep = 2) => {
    const args = ['publish', bundle, '--keep', String(keep)];
    const { code, stdout, stderr } = await runApiHere(args, settingsFor(prepared));
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const editions = async () => {
    const rows = (await readTables(prepared)).get('editions') ?? [];
    return rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b);
  };
  /** All rows, among them the number of times that each lease was taken, and the names of all files. */
  const state = async () => ({
    tables: await readTables(prepared),
    files: await readdir(join(prepared.folder, 'derived'), { recursive: true }),
  });

  test('writes no row and no file, and takes no lease', async () => {
    const before = await state();
    expect(await publish()).toBe(
      'Unchanged: edition 1 has the same content, so nothing was published (use --force to publish anyway).\n',
    );
    expect(await state()).toEqual(before);
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
      expect(await publish()).toContain('Unchanged');
      expect(await editions()).toEqual([1]);
      const before = await state();
      expect(await publish()).toContain('Unchanged');
      expect(await state()).toEqual(before);
    },
  );

  test('makes an edition all the same if it is forced to, or for another description of the archive', async () => {
    await publishHere(prepared, bundle);
    const [, forced] = await editions();
    const title = { nl: 'Een ander archief', en: 'Another archive' };
    await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title }));
    expect(await publish()).toContain('Published edition ');
    expect(await editions()).toEqual([forced, expect.any(Number)]);
  });

  test('makes an edition where only the place of a picture, or a supplement, is another', async () => {
    const person = (host: string, birth_date: string) => ({
      ...{ id: 1, uuid: uuidOf('person', 1), birth_date },
      image: {
        id: 1,
        uuid: uuidOf('person', 9),
        path: `https://${host}.example/media/1.jpg`,
        alt: 'Huygens',
      },
    });
    const title = { nl: 'Archief', en: 'Archive' };
    for (const record of [person('one', '1596'), person('two', '1596'), person('two', '1596-01')]) {
      await writeBundle(bundle, { person: [record] });
      await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title, partial_dates: 'first-day' }));
      expect(await publish()).toContain('Published edition ');
      expect(await publish()).toContain('Unchanged');
    }
  });

  test('deletes editions that are not to be kept, and what a killed publish left', async () => {
    const [older, served] = await editions();
    const database = openDatabase(prepared);
    const row = { key: 'left', status: 'writing', fence: 0, counts: '{}', mapping: 1 };
    await database('editions').insert(row);
    await database.destroy();
    expect(await publish()).toContain('Unchanged');
    expect(await editions()).toEqual([older, served]);
    expect(await publish(1)).toContain(`No longer kept: edition ${older}.`);
    expect(await editions()).toEqual([served]);
  });
});
