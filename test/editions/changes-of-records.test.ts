import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { type Row, readTables } from '../support/read-tables.ts';
import { statementsDuring } from '../support/statements.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

/** Publishes persons with these last names. */
async function publishPersons(prepared: TestDatabase, ...names: string[]): Promise<void> {
  const person = names.map((last_name, id) => ({ id, uuid: uuidOf('person', id), last_name }));
  await publishHere(prepared, await writeBundle(join(prepared.folder, 'bundle'), { person }), [
    '--keep',
    '3',
  ]);
}

describeEngines('changed records in a publish (%s)', (engine) => {
  test('a record keeps the time of its last change', async () => {
    const prepared = await createTestDatabase(engine);
    await publishPersons(prepared, 'Huygens', 'Vries');
    await publishPersons(prepared, 'Huygens', 'de Vries', 'Spinoza');
    await publishPersons(prepared, 'Huygens', 'de Vries', 'de Spinoza');
    const tables = await readTables(prepared);
    const editions = (tables.get('editions') ?? []).toSorted((a, b) => Number(a['id']) - Number(b['id']));
    const [one, two, three] = editions.map((row) => row['published_at']);
    /** The time at which each person of an edition last changed. */
    const changes = ({ id, published_at }: Row) =>
      (tables.get('entries') ?? [])
        .filter(({ edition }) => edition === id)
        .toSorted((a, b) => Number(a['position']) - Number(b['position']))
        .map(({ changed_at }) =>
          changed_at === null ? published_at : new Date(Number(changed_at)).toISOString(),
        );
    expect(editions.map(changes)).toEqual([
      [one, one],
      [one, two, two],
      [one, two, three],
    ]);
  });
});

describe('a bundle that changes while it is published', () => {
  let prepared: TestDatabase;
  beforeAll(async () => {
    prepared = await createTestDatabase('sqlite');
    await publishPersons(prepared, 'Spinoza');
  });

  test.each([
    ['uuid', (text: string) => text.replace(uuidOf('person', 1), uuidOf('person', 9)), 'persons.jsonl:2: '],
    ['text', (text: string) => text.replace('Vries', 'Fries'), 'persons.jsonl: '],
    [
      'record at its end',
      (text: string) => `${text}{"id":8,"uuid":"${uuidOf('person', 8)}"}\n`,
      'persons.jsonl:4: ',
    ],
    ['end, a record earlier,', (text: string) => text.slice(0, text.lastIndexOf('{')), 'persons.jsonl: '],
  ])('with another %s when it is read again is rejected', async (_, change, where) => {
    const person = ['Huygens', 'Vries', 'Swammerdam'].map((last_name, id) => ({
      ...{ id, uuid: uuidOf('person', id), last_name },
    }));
    const bundle = await writeBundle(join(prepared.folder, 'changing'), { person });
    const file = join(bundle, 'persons.jsonl');
    const text = await readFile(file, 'utf8');
    // It has been checked when an edition is begun, and is read again to write it.
    await statementsDuring(
      async () => {
        const { code, stderr } = await runApiHere(['publish', bundle], settingsFor(prepared));
        expect(code).toBe(1);
        expect(stderr).toContain(`${where}changed while it was being published; publish the bundle again`);
      },
      ({ sql }) => {
        if (/^insert into `editions`/.test(sql)) writeFileSync(file, change(text));
      },
    );
    const editions = (await readTables(prepared)).get('editions') ?? [];
    expect(editions.filter(({ status }) => status !== 'writing').map(({ id }) => id)).toEqual([1]);
  });
});
