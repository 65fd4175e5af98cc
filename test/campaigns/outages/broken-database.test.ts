import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { type Database, openDatabase } from '../../support/database-of.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

describeEngines('a database that breaks while it is served (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let server: ApiServer;
  /** What the metrics say. */
  const isDatabaseUp = async () => {
    const metrics = await (await server.admin('/metrics')).text();
    return /^archive_database_up 1$/m.test(metrics);
  };
  beforeEach(async () => {
    prepared = await createTestDatabase(engine);
    await publishBundle(prepared, await writeFixture(join(prepared.folder, 'bundle')));
    database = openDatabase(prepared);
    server = await serveDatabase(prepared);
  });
  afterEach(async () => {
    await server?.stop();
    await database?.destroy();
  });

  test('a request that needs it gets a 500 without internal details; the log has them', async () => {
    await database.schema.renameTable('texts', 'lost');
    const response = await server.fetch(`/nl/api/persons/${uuidOf('person', 101)}`);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ status: 500, title: 'Interne fout' });
    expect(body).not.toMatch(/texts|select|sqlite|mysql|\/src\/|\.ts/i);
    await expect.poll(server.process.stderr).toMatch(/"level":"error".*texts/);

    await database.schema.renameTable('lost', 'texts');
    const again = await server.fetch(`/nl/api/persons/${uuidOf('person', 101)}`);
    expect(again.status).toBe(200);
  });

  test('while the served edition cannot be read, the last known one is served', async () => {
    await database.schema.renameTable('served', 'lost');
    await expect.poll(isDatabaseUp, { timeout: 10_000 }).toBe(false);
    expect((await server.fetch('/en/api/subjects')).status).toBe(200);
    await database.schema.renameTable('lost', 'served');
    await expect.poll(isDatabaseUp, { timeout: 10_000 }).toBe(true);
  });
});
