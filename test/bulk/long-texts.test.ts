import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishHere } from '../support/api-here.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { createTestDatabase } from '../support/test-database.ts';

/** Few enough for one part of a dump. */
const RECORDS = 10;

/** HTML that takes some hundredths of a second to read. */
const LONG = '<b>x</b> <i>y</i>\n'.repeat(20_000);

test('other requests are answered while a CSV file of long texts is made', {
  timeout: 120_000,
}, async () => {
  const database = await createTestDatabase('sqlite');
  const person = Array.from({ length: RECORDS }, (_, id) => ({
    id,
    uuid: uuidOf('person', id),
    content_nl: LONG,
  }));
  await publishHere(database, await writeBundle(join(database.folder, 'bundle'), { person }));
  const server = await serveDatabase(database);
  let isDone = false;
  const download = server.fetch('/nl/api/dump/persons.csv').then(async (answer) => {
    const { length } = await answer.text();
    isDone = true;
    return length;
  });
  const began = performance.now();
  let longest = 0;
  while (!isDone) {
    const sent = performance.now();
    expect((await server.fetch('/health')).status).toBe(200);
    longest = Math.max(longest, performance.now() - sent);
  }
  expect(await download).toBeGreaterThan(RECORDS * 50_000);
  expect(longest).toBeLessThan((performance.now() - began) / 2);
});
