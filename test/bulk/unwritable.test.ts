import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { publishHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import { openDatabase } from '../support/database-of.ts';
import { FIXTURE, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { idsOfTexts } from '../support/ids-of-texts.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** Events without a location: full ones stay complete without their abbreviated form. */
const EVENTS = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  uuid: uuidOf('event', 5_000 + index),
  name_nl: `Gebeurtenis ${index}`,
}));

describe('a record that cannot be written', () => {
  let database: TestDatabase;
  let server: ApiServer;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    await publishHere(
      database,
      await writeBundle(join(database.folder, 'bundle'), { ...FIXTURE, event: EVENTS }),
    );
    await spoil(50);
    server = await serveDatabase(database, { BASE_URL: ITSELF });
  });

  const spoil = async (position: number, text = '{"id":') => {
    const texts = openDatabase(database);
    const ids = await idsOfTexts(texts, 1, 'abbreviated_event', position);
    await texts('texts').whereIn('id', ids).update({ text });
    await texts.destroy();
  };

  test.each(['identity', 'gzip'])('cuts a dump half-way (%s), and is logged', async (coding) => {
    const cut = await server.fetch('/en/api/dump/events.csv', { headers: { 'accept-encoding': coding } });
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
    await server.process.said(
      new RegExp(
        `"level":"error".*events.csv: the event 50 \\(${uuidOf('event', 5_049)}\\) cannot be written`,
      ),
    );
    expect((await server.fetch('/en/api/dump/events.jsonl')).status).toBe(200);
  });

  test('stops no harvest of full events, which takes no CSV', async () => {
    const out = join(database.folder, 'harvest');
    const { code, stderr } = await runHere(['harvest', 'events', '--base-url', server.baseUrl, '--out', out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('published as edition 1.') });
  });

  test('is a problem response if nothing has been sent', async () => {
    await spoil(3);
    const uuid = uuidOf('event', 5_002);
    for (const headers of [{}, { 'accept-encoding': 'zstd' }, { range: 'bytes=0-9' }]) {
      const refused = await server.fetch('/en/api/dump/events.csv', { headers });
      expect(refused.status).toBe(500);
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
      expect(refused.headers.get('content-encoding')).toBe(null);
      expect(await refused.json()).toMatchObject({
        type: `${server.baseUrl}/problems/unwritable-record`,
        detail: `events.csv cannot be generated: event 3 (${uuid}) cannot be written in this format.`,
        ...{ kind: 'event', id: 3, uuid },
      });
    }
    expect((await server.fetch('/en/api/dump/events.csv', { method: 'HEAD' })).status).toBe(200);
  });

  test('is not blamed for an error of the program', async () => {
    // Valid JSON, but no record: reading its fields is a TypeError.
    await spoil(2, 'null');
    const refused = await server.fetch('/en/api/dump/events.csv');
    expect(await refused.json()).toMatchObject({ type: `${server.baseUrl}/problems/internal-error` });
  });
});
