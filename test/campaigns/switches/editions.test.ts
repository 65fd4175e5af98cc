import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { BASE_URL, serveDatabase } from '../../support/api-server.ts';
import { type Archive, makeArchives } from '../../support/archives.ts';
import { openDatabase } from '../../support/database-of.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { takeSnapshot } from '../../support/snapshot.ts';
import {
  createTestDatabase,
  describeEngines,
  type Engine,
  type TestDatabase,
} from '../../support/test-database.ts';
import { startWatch } from '../../support/watch.ts';

/** Bundles, with the expected responses for each on any engine. */
let archives: readonly Archive[];

beforeAll(async () => {
  archives = await makeArchives(3, BASE_URL);
});

const bundle = (number: 1 | 2 | 3) => archives[number - 1]?.bundle ?? '';
const served = (number: 1 | 2 | 3) => archives[number - 1]?.served ?? new Map();

/** A database for each test of one engine, and the program on it. */
function useDatabase(engine: Engine) {
  let prepared: TestDatabase;
  beforeEach(async () => {
    prepared = await createTestDatabase(engine);
  });
  const command = (...args: string[]) => runApi(args, settingsFor(prepared));
  return {
    database: () => prepared,
    command,
    editions: async () => (await command('editions')).stdout.match(/^(\*| ) edition \d+/gm) ?? [],
  };
}

describeEngines('switching editions (%s)', (engine) => {
  const { database, command, editions } = useDatabase(engine);

  test('a running server switches and rolls back, without a failed or mixed response', async () => {
    const [one, two, three] = [served(1), served(2), served(3)];
    expect(one).not.toEqual(two);
    await publishBundle(database(), bundle(1));
    const server = await serveDatabase(database());
    const watch = startWatch(server.origin, [one, two, three]);
    await watch.sees(one);
    await publishBundle(database(), bundle(2));
    await watch.sees(two);
    expect(await command('rollback')).toMatchObject({
      code: 0,
      stdout: 'Now serving edition 1: 140 persons, 40 subjects, 80 locations and 140 events.\n',
      stderr: '',
    });
    await watch.sees(one);
    expect(await editions()).toEqual(['  edition 2', '* edition 1']);
    // Publishing continues from there.
    await publishBundle(database(), bundle(3));
    await watch.sees(three);
    expect(await watch.stop()).toMatchObject({ failed: 0, wrong: [] });
    expect(await takeSnapshot(server)).toEqual(three);
    await server.stop();
    expect(await editions()).toEqual(['* edition 3', '  edition 1']);
  });

  test('of two concurrent publishes, one fails with a clear message', async () => {
    await publishBundle(database(), bundle(1));
    // This process is the first one: it keeps and renews the lease while the second one runs.
    const ours = openDatabase(database());
    const hold = (holder: string | null, until: number) =>
      ours('leases').where({ name: 'publish' }).update({ holder, until });
    await hold(randomUUID(), 1);
    const renewing = setInterval(() => void hold(randomUUID(), Date.now()).then(), 500);
    expect(await command('publish', bundle(2))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^(?:warning: .*\n)+Another process has the publish lease; waiting up to \d+ s .*\narchive-api: another publish into this database is running; try again when it has finished\n$/,
      ),
    });
    clearInterval(renewing);
    await hold(null, 0);
    await ours.destroy();
    expect(await editions()).toEqual(['* edition 1']);
    await publishBundle(database(), bundle(2));
    expect(await editions()).toEqual(['* edition 2', '  edition 1']);
  });
});

describe('editions, on any engine', () => {
  const { database, command, editions } = useDatabase('sqlite');

  test('a failed publish changes nothing', async () => {
    await publishBundle(database(), bundle(1));
    const server = await serveDatabase(database());
    const before = await takeSnapshot(server);
    const bad = await writeBundle(join(database().folder, 'bad'), { person: [{ id: 1 }] });
    const failed = await command('publish', bad);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toBe(
      'persons.jsonl:1: uuid: is missing: every record needs a uuid\n' +
        'archive-api: the bundle has 1 fault; nothing was changed.\n',
    );
    expect(await editions()).toEqual(['* edition 1']);
    expect(await takeSnapshot(server)).toEqual(before);
  });
});
