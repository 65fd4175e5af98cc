import { editionsSchema } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../support/api-server.ts';
import { TOTAL, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { getJson } from '../support/walk.ts';

describe('the kept editions', () => {
  let folder: string;
  let database: TestDatabase;
  let server: ApiServer;
  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase('sqlite');
    await publishHere(database, await writeFixture(folder));
    server = await serveDatabase(database);
  });

  const editions = async (path = '/en/api/editions') => editionsSchema.parse(await getJson(server, path));

  test('are listed newest first, and the served one is marked', async () => {
    const before = await server.fetch('/en/api/editions');
    expect((await editions()).editions.map(({ id, total }) => [id, total])).toEqual([[1, TOTAL]]);

    await publishHere(database, folder, ['--keep', '3']);
    await untilServed(server, 2);
    expect(await editions()).toMatchObject({ served: 2, editions: [{ id: 2 }, { id: 1 }] });
    expect(await editions('/api/editions')).toEqual(await editions('/nl/api/editions'));
    const after = await server.fetch('/en/api/editions');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('are listed as they are now, without an edition that was swept after the last switch', async () => {
    const ask = async (tag = '') => server.fetch('/en/api/editions', { headers: { 'If-None-Match': tag } });
    const before = await ask();
    const tag = before.headers.get('etag') ?? '';
    expect((await ask(tag)).status).toBe(304);
    await publishHere(database, folder, ['--keep', '2']);
    await untilServed(server, 3);
    expect((await editions()).editions.map(({ id }) => id)).toEqual([3, 2]);
    expect((await ask(tag)).status).toBe(200);

    await runApiHere(['rollback'], settingsFor(database));
    await untilServed(server, 2);
    expect(await editions()).toMatchObject({ served: 2, editions: [{ id: 3 }, { id: 2 }] });
  });
});
