import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDerivedFiles, type DerivedFiles } from '../../apps/api/dist/derived/derived-files.js';
import { followEditions } from '../../apps/api/dist/edition/follow-editions.js';
import { publishHere } from '../support/api-here.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeFixture } from '../support/fixture/fixture-bundle.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let prepared: TestDatabase;
const unhandled = vi.fn();
beforeEach(async () => {
  prepared = await createTestDatabase('sqlite');
  process.on('unhandledRejection', unhandled);
});
afterEach(async () => {
  process.off('unhandledRejection', unhandled);
  await prepared?.drop();
});

test('an index that opens after the database was closed causes no error', async () => {
  const bundle = await writeFixture(join(prepared.folder, 'bundle'));
  await publishHere(prepared, bundle);
  const database = openDatabase(prepared);
  const opening = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const files = withSlowOpen(
    createDerivedFiles(database, { derivedFolder: join(prepared.folder, 'derived') }),
    2,
    async () => {
      opening.resolve();
      await opened.promise;
    },
  );
  const editions = followEditions(database, files, pino({ level: 'silent' }));
  await editions.start();
  await publishHere(prepared, bundle);
  await opening.promise;
  await editions.stop();
  await database.destroy();
  opened.resolve();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(unhandled).not.toHaveBeenCalled();
});

/** Derived files that delay opening the index of one edition. */
function withSlowOpen(files: DerivedFiles, id: number, wait: () => Promise<void>): DerivedFiles {
  return {
    ...files,
    open(edition, log, admit) {
      const index = files.open(edition, log, admit);
      if (edition.id !== id) return index;
      const open = index.open.bind(index);
      return Object.assign(index, {
        open: async () => {
          await open();
          await wait();
        },
      });
    },
  };
}
