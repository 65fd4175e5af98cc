import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { serveDatabase } from '../../support/api-server.ts';
import { loadRelease, RELEASED_BUNDLE, releasedAnswers } from '../../support/release.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

describeEngines('the database of release 1.0.0 (%s)', (engine) => {
  let database: TestDatabase;
  let answers: [path: string, body: string][];
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    await loadRelease(database);
    answers = await releasedAnswers();
  });
  afterEach(() => database.drop());

  const expectAnswers = async () => {
    const server = await serveDatabase(database);
    for (const [path, body] of answers) expect(await (await server.fetch(path)).text(), path).toBe(body);
    await server.stop();
  };

  test('gives the same responses after migration', { timeout: 90_000 }, async () => {
    expect(await runApi(['migrate'], settingsFor(database))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrated: /),
    });
    await expectAnswers();
  });

  test('accepts a publish, and a rollback to its editions', { timeout: 90_000 }, async () => {
    const { stdout } = await publishBundle(database, RELEASED_BUNDLE, ['--keep', '3']);
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
