import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishBundle } from '../../support/api-process.ts';
import { type CountedApi, startCountedApi } from '../../support/counted-api.ts';
import { type Database, openDatabase } from '../../support/database-of.ts';
import { writeFixture } from '../../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../../support/fixture/names.ts';
import { send } from '../../support/send.ts';
import { createTestDatabase, describeEngines } from '../../support/test-database.ts';

describeEngines('an edition swept while it is read (%s)', (engine) => {
  let api: CountedApi;
  let database: Database;
  let bundle: string;
  beforeEach(async () => {
    const own = await createTestDatabase(engine);
    bundle = await writeFixture(join(own.folder, 'bundle'));
    await publishBundle(own, bundle);
    api = await startCountedApi({ engine, database: own });
    database = openDatabase(api.database);
  });
  afterEach(async () => {
    await database.destroy();
    await api.stop();
  });

  /** A publish and a sweep between two polls of the server for the served edition. */
  const replaceFirstEdition = async () => {
    await publishBundle(api.database, bundle);
    await database('editions').where({ id: 1 }).update({ status: 'writing' });
    await database('entries').where({ edition: 1 }).delete();
    await database('editions').where({ id: 1 }).delete();
  };

  test.each([
    '/en/api/persons',
    '/nl/api/events',
    '/en/api/locations?page=2',
    '/en/api/search?q=name:e',
    `/en/api/events/${uuidOf('event', 301)}`,
    `/nl/api/persons/${uuidOf('person', 101)}`,
  ])('%s is answered from the one that is served now', async (path) => {
    await replaceFirstEdition();
    const { status, headers } = await send(api.origin + path);
    expect(status).toBe(200);
    expect(headers['archive-edition']).toBe('2');
  });

  test('a walk pinned to it gets a 410', async () => {
    await replaceFirstEdition();
    expect((await send(`${api.origin}/en/api/events?edition=1`)).status).toBe(410);
  });
});
