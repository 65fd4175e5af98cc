import { readArchiveId } from '@archiefkast/archive-api/dist/storage/edition.js';
import { expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { loadRelease, RELEASED_BUNDLE } from '../support/release.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';

/** An edition that 1.0.0 was writing when it was killed, and rows of an edition that it had deleted. */
const LEFTOVERS = `
  INSERT INTO editions (id, \`key\`, status) VALUES (3, '6f1f5c7e-0000-4000-8000-000000000000', 'writing');
  INSERT INTO texts (edition, language, form, position, text) VALUES (3, 'en', 'person', 1, '{}');
  INSERT INTO texts (edition, language, form, position, text) VALUES (77, 'en', 'person', 1, '{}');
`;

const PATHS = ['persons', 'subjects', 'locations', 'events', 'search', 'search?q=rembrandt'].map(
  (path) => `/en/api/${path}`,
);

async function bodies(database: TestDatabase): Promise<string[]> {
  const server = await serveDatabase(database);
  const texts = [];
  for (const path of PATHS) {
    const answer = await server.fetch(path);
    expect(answer.status, path).toBe(200);
    texts.push(await answer.text());
  }
  await server.stop();
  return texts;
}

describeEngines('an archive of version 1.0.0 (%s)', (engine) => {
  test('is migrated, gives the same responses, and can be published into', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase(engine);
    await loadRelease(database, LEFTOVERS);
    expect((await runApiHere(['migrate'], settingsFor(database))).stdout).toBe(
      'Migrated: 0002-leases, 0003-incremental.\n',
    );
    const taken = await bodies(database);
    expect(taken[0]).toContain('"count":2');

    const fresh = await createTestDatabase(engine);
    await publishHere(fresh, RELEASED_BUNDLE);
    expect(taken).toEqual(await bodies(fresh));

    await publishHere(database, RELEASED_BUNDLE);
    const open = openDatabase(database);
    for (const table of ['records', 'texts', 'links']) {
      expect(await open(table).where('edition', 'in', [3, 77]).first(), table).toBeUndefined();
    }
    expect(await readArchiveId(open)).not.toBe(await archiveIdOf(fresh));
    await open.destroy();
    expect((await runApiHere(['editions'], settingsFor(database))).stdout).toMatch(
      /^ {2}edition 2 .*events$/m,
    );
    await database.drop();
    await fresh.drop();
  });
});

async function archiveIdOf(database: TestDatabase): Promise<string> {
  const open = openDatabase(database);
  try {
    return await readArchiveId(open);
  } finally {
    await open.destroy();
  }
}
