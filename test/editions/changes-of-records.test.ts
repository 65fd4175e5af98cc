import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '@archiefkast/archive-api/dist/publish/publish.js';
import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { listEditionIds } from '@archiefkast/archive-api/dist/storage/edition.js';
import { migrate } from '@archiefkast/archive-api/dist/storage/migrate.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../support/database-of.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { publishing } from '../support/publishing.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

describeEngines('changed records in a publish (%s)', (engine) => {
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

  const options = () => ({ ...publishing(prepared, database), keep: 3 });
  /** Publishes persons with these last names. */
  const publishPersons = async (...names: string[]) => {
    const person = names.map((last_name, id) => ({ id, uuid: uuidOf('person', id), last_name }));
    const bundle = await writeBundle(join(prepared.folder, 'bundle'), { person });
    return (await publish(bundle, options())).edition;
  };
  /** The time at which each person of an edition last changed. */
  const changes = async ({ id, publishedAt }: { id: number; publishedAt: Date }) => {
    const rows = await database('records').where({ edition: id }).orderBy('position').pluck('changed_at');
    return rows.map((changed) => changed ?? publishedAt.toISOString());
  };

  test('a record keeps the time of its last change', async () => {
    const first = await publishPersons('Huygens', 'Vries');
    const second = await publishPersons('Huygens', 'de Vries', 'Spinoza');
    const third = await publishPersons('Huygens', 'de Vries', 'de Spinoza');
    const [one, two, three] = [first, second, third].map(({ publishedAt }) => publishedAt.toISOString());
    expect(await changes(first)).toEqual([one, one]);
    expect(await changes(second)).toEqual([one, two, two]);
    expect(await changes(third)).toEqual([one, two, three]);
    const contents = await database('editions').orderBy('id').pluck('content');
    expect(new Set(contents).size).toBe(3);
    for (const content of contents) expect(content).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['uuid', (text: string) => text.replace(uuidOf('person', 1), uuidOf('person', 9)), 'persons.jsonl:2: '],
    ['text', (text: string) => text.replace('Vries', 'Fries'), 'persons.jsonl:2: '],
    [
      'record at its end',
      (text: string) => `${text}{"id":8,"uuid":"${uuidOf('person', 8)}"}\n`,
      'persons.jsonl:4: ',
    ],
    ['end, a record earlier,', (text: string) => text.slice(0, text.lastIndexOf('{')), 'persons.jsonl: '],
  ])('a bundle with another %s when it is read again is rejected', async (_, change, where) => {
    await publishPersons('Spinoza');
    const person = ['Huygens', 'Vries', 'Swammerdam'].map((last_name, id) => ({
      ...{ id, uuid: uuidOf('person', id), last_name },
    }));
    const subject = [{ id: 1, uuid: uuidOf('subject', 1) }];
    const bundle = await writeBundle(join(prepared.folder, 'changing'), { subject, person });
    const file = join(bundle, 'persons.jsonl');
    const text = await readFile(file, 'utf8');
    // The subject is written before the persons are read again.
    const onProgress = ({ step, done }: { step: string; done: number }) => {
      if (step === 'writing' && done === 1) writeFileSync(file, change(text));
    };
    await expect(publish(bundle, { ...options(), onProgress })).rejects.toThrow(
      `${where}changed while it was being published; publish the bundle again`,
    );
    expect(await listEditionIds(database)).toEqual([1]);
  });
});
