import type { Database } from '@archiefkast/archive-api/dist/storage/connect.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishBundle, type Running, runApi, settingsFor, startProcess } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { openDatabase } from '../../support/database-of.ts';
import { startReader } from '../../support/reader.ts';
import { type Snapshot, takeSnapshot } from '../../support/snapshot.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../../support/test-database.ts';

const RECORDS = 1200;

/** Two texts of every record in the generated bundle, and two more of every event, which are a third of them. */
const TEXTS = 2.7 * RECORDS;

/** Numbers of texts of the new edition at which the publish is killed. */
const MOMENTS = [0, 0.3 * TEXTS, 0.7 * TEXTS].map(Math.floor);

describeEngines('a killed publish (%s)', (engine) => {
  let prepared: TestDatabase;
  let database: Database;
  let server: ApiServer;
  let before: Snapshot;
  let bundle: string;

  beforeAll(async () => {
    prepared = await createTestDatabase(engine);
    database = openDatabase(prepared);
    bundle = await makeBundle(prepared.folder, { records: RECORDS, seed: 2 });
    await publishBundle(prepared, await makeBundle(prepared.folder, { records: 200, seed: 1 }));
    server = await serveDatabase(prepared);
    before = await takeSnapshot(server);
  });
  afterAll(async () => {
    await server?.stop();
    await database?.destroy();
    await prepared?.drop();
  });

  /** The edition in progress, and its number of stored texts. */
  const leftover = async (): Promise<{ edition: number; texts: number } | undefined> => {
    const row = await database('editions').where({ status: 'writing' }).orderBy('id', 'desc').first('id');
    if (!row) return undefined;
    const [texts] = await database('texts').where({ edition: row.id }).count({ count: '*' });
    return { edition: row.id, texts: Number(texts?.count) };
  };

  const killWhen = async (publish: Running, texts: number, not: number | undefined) => {
    for (;;) {
      const found = await leftover();
      if (found && found.edition !== not && found.texts >= texts) break;
    }
    publish.kill('SIGKILL');
    return await publish.ended;
  };

  test.each(MOMENTS)('with %i texts written leaves the served edition unchanged', async (texts) => {
    const reader = startReader(server, [before]);
    const old = await leftover();
    const publish = startProcess(['publish', bundle], settingsFor(prepared));
    expect(await killWhen(publish, texts, old?.edition)).toMatchObject({ signal: 'SIGKILL' });
    await reader.stop();
    expect(reader.answers()).toBeGreaterThan(0);
    expect(await takeSnapshot(server)).toEqual(before);
    expect((await leftover())?.edition).toBeGreaterThan(old?.edition ?? 0);

    const { stdout } = await runApi(['editions'], settingsFor(prepared));
    expect(stdout.match(/edition \d+/g)).toEqual(['edition 1']);
  });

  test('the next publish sweeps the remains, and is served', async () => {
    const published = await publishBundle(prepared, bundle);
    expect(published.stdout).toMatch(/^Published edition \d+: 420 persons, 120 subjects, 240 locations/);
    expect(await leftover()).toBeUndefined();
    const kept = await database('editions').pluck('id');
    expect(kept).toHaveLength(2);
    for (const table of ['texts', 'records', 'links', 'blocks']) {
      const editions = await database(table).distinct('edition').pluck('edition');
      expect(editions.toSorted()).toEqual(kept.toSorted());
    }
    const fresh = await serveDatabase(prepared);
    const after = await takeSnapshot(fresh);
    await fresh.stop();
    expect(after).not.toEqual(before);

    const reader = startReader(server, [before, after]);
    await reader.sees(after);
    await reader.stop();
    expect(await takeSnapshot(server)).toEqual(after);
  });
});
