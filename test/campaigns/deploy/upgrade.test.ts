import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../../support/test-database.ts';

/** What release 1.0.0 left behind: two editions of a small archive, in both engines, and what it answered. */
const RELEASE = new URL('release-1.0.0/', import.meta.url);

/** A database as release 1.0.0 left it. */
async function load(database: TestDatabase): Promise<void> {
  const sql = await readFile(new URL(`${database.engine}.sql`, RELEASE), 'utf8');
  if (database.engine === 'sqlite') {
    const file = new DatabaseSync(database.url.slice('sqlite:'.length));
    file.exec(sql);
    file.close();
    return;
  }
  const connection = await createConnection({ uri: database.url, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
}

describe.each(ENGINES)('the database of release 1.0.0 (%s)', (engine) => {
  let database: TestDatabase;
  let answers: [path: string, body: string][];
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await load(database);
    answers = Object.entries(JSON.parse(await readFile(new URL('answers.json', RELEASE), 'utf8')));
  });
  afterEach(() => database.drop());

  const expectAnswers = async () => {
    const server = await serveDatabase(database);
    for (const [path, body] of answers) expect(await (await server.fetch(path)).text(), path).toBe(body);
    await server.stop();
  };

  test('answers the same once it is migrated', { timeout: 90_000 }, async () => {
    expect(await runApi(['migrate'], settingsFor(database))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrated: /),
    });
    await expectAnswers();
  });

  test('is published into, and its editions can be gone back to', { timeout: 90_000 }, async () => {
    const bundle = fileURLToPath(new URL('bundle', RELEASE));
    const { stdout } = await publishBundle(database, bundle, ['--keep', '3']);
    expect(stdout).toMatch(/^Published edition 3: 2 persons/);
    await expectAnswers();
    for (const edition of ['2', '1']) {
      const { stdout: switched } = await runApi(['rollback'], settingsFor(database));
      expect(switched).toMatch(new RegExp(`^Now serving edition ${edition}`));
    }
    const server = await serveDatabase(database);
    expect(await (await server.fetch('/en/api/events')).text()).toContain('Bankroet');
    await server.stop();
  });
});
