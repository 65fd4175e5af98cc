import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { publishHere } from '../../support/api-here.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { readTables } from '../../support/read-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

const HOUR = 3_600_000;

let one: TestDatabase;
let other: TestDatabase;
let bundle: string;
beforeAll(async () => {
  [one, other] = await Promise.all([createTestDatabase('sqlite'), createTestDatabase('sqlite')]);
  bundle = await writeFixture(join(one.folder, 'bundle'));
});

const shared = () => join(one.folder, 'derived');

test('of two archives can share one folder: each has one of its own, named after it', async () => {
  await publishHere(one, bundle);
  // The folder of derived files is below the folder of a database.
  await publishHere({ ...other, folder: one.folder }, bundle);
  const ids = [one, other].map(async (each) => (await readTables(each)).get('archive')?.[0]?.['id']);
  expect(await readdir(shared())).toEqual((await Promise.all(ids)).toSorted());
});

test('left by a killed build are deleted by the next publish, those being written are not', async () => {
  const [archive] = (await readTables(one)).get('archive') ?? [];
  const own = join(shared(), String(archive?.['id']));
  const [index = ''] = await readdir(own);
  const path = (end: string) => join(own, `${index}.tmp-${end}`);
  await writeFile(path('0a'), 'left');
  await writeFile(path('0b'), 'being written');
  const then = new Date(Date.now() - 2 * HOUR);
  await utimes(path('0a'), then, then);
  await publishHere(one, bundle, ['--keep', '2']);
  const names = await readdir(own);
  expect(names).toContain(index);
  expect(names.filter((name) => name.includes('.tmp'))).toEqual([`${index}.tmp-0b`]);
});
