import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { makeBundle } from '../support/bundles.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { createTestDatabase } from '../support/test-database.ts';

test('a server ignores an older switch than the one it knows', async () => {
  const prepared = await createTestDatabase('sqlite');
  await publishHere(prepared, await writeFixture(join(prepared.folder, 'bundle')));
  await publishHere(prepared, await makeBundle(prepared.folder, { records: 40, seed: 1 }));
  const server = await serveDatabase(prepared);
  const edition = async () => (await server.fetch('/en/api/persons')).headers.get('archive-edition');
  const becomes = async (expected: string) => {
    while ((await edition()) !== expected) await sleep(20);
  };
  expect(await edition()).toBe('2');

  // As on a lagging replica.
  const database = openDatabase(prepared);
  await database('served').update({ edition: 1, sequence: 1 });
  await sleep(1_000);
  expect(await edition()).toBe('2');
  await database('served').update({ edition: 2, sequence: 2 });
  await database.destroy();

  // A rollback is a later switch, to an earlier edition.
  expect((await runApiHere(['rollback'], settingsFor(prepared))).code).toBe(0);
  await becomes('1');
});
