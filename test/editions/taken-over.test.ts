import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { readArchiveId } from 'archive-api/dist/database/archive-id.js';
import { createConnection } from 'mysql2/promise';
import { describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

/** What version 1.0.0 made of the bundle beside it, as each engine dumps it. */
const ARCHIVE = fileURLToPath(new URL('archive-of-1.0.0', import.meta.url));

/** An edition that 1.0.0 was writing when it was killed, and rows whose edition it had deleted. */
const LEFTOVERS = `
  INSERT INTO editions (id, \`key\`, status) VALUES (2, '6f1f5c7e-0000-4000-8000-000000000000', 'writing');
  INSERT INTO texts (edition, language, form, position, text) VALUES (2, 'en', 'person', 1, '{}');
  INSERT INTO texts (edition, language, form, position, text) VALUES (77, 'en', 'person', 1, '{}');
`;

const PATHS = ['persons', 'subjects', 'locations', 'events', 'search', 'search?q=huygens'].map(
  (path) => `/en/api/${path}`,
);

async function load(database: TestDatabase): Promise<void> {
  const sql = (await readFile(join(ARCHIVE, `${database.engine}.sql`), 'utf8')) + LEFTOVERS;
  if (database.engine === 'sqlite') {
    using file = new DatabaseSync(database.url.slice('sqlite:'.length));
    file.exec(sql);
    return;
  }
  const connection = await createConnection({ uri: database.url, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
}

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

describe.each(ENGINES)('an archive that version 1.0.0 made (%s)', (engine) => {
  test('is taken over by a migration, answers as before, and goes on', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase(engine);
    await load(database);
    expect((await runApi(['migrate'], settingsFor(database))).stdout).toBe('Migrated: 0002-leases.\n');
    const taken = await bodies(database);
    expect(taken[0]).toContain('"count":1');

    const fresh = await createTestDatabase(engine);
    await publishBundle(fresh, join(ARCHIVE, 'bundle'));
    expect(taken).toEqual(await bodies(fresh));

    await publishBundle(database, join(ARCHIVE, 'bundle'));
    const open = openDatabase(database);
    for (const table of ['records', 'texts', 'links']) {
      expect(await open(table).where('edition', 'in', [2, 77]).first(), table).toBeUndefined();
    }
    expect(await readArchiveId(open)).not.toBe(await archiveIdOf(fresh));
    await open.destroy();
    expect((await runApi(['editions'], settingsFor(database))).stdout).toMatch(/^ {2}edition 1 .*event$/m);
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
