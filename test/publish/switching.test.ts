import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'archive-api/dist/database/connect.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishBundle, runApi, settingsFor, startProcess } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { makeBundle } from '../support/bundles.ts';
import { openDatabase } from '../support/database-of.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { startReader } from '../support/reader.ts';
import { type Snapshot, takeSnapshot } from '../support/snapshot.ts';
import { createTestDatabase, ENGINES, type Engine, type TestDatabase } from '../support/test-database.ts';

let folder: string;
const bundles: string[] = [];
/** What each bundle is served as, on any engine. */
const snapshots: Snapshot[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-bundles-'));
  const database = await createTestDatabase('sqlite');
  for (const seed of [1, 2, 3]) {
    const bundle = await makeBundle(folder, { records: 200, seed });
    await publishBundle(database, bundle);
    const server = await serveDatabase(database);
    bundles.push(bundle);
    snapshots.push(await takeSnapshot(server));
    await server.stop();
  }
  await database.drop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bundle = (number: 1 | 2 | 3) => bundles[number - 1] ?? '';
const served = (number: 1 | 2 | 3) => snapshots[number - 1] ?? new Map();

/** A database for each test of one engine, and the program on it. */
function useDatabase(engine: Engine) {
  let prepared: TestDatabase;
  beforeEach(async () => {
    prepared = await createTestDatabase(engine);
  });
  afterEach(() => prepared.drop());
  const command = (...args: string[]) => runApi(args, settingsFor(prepared));
  return {
    database: () => prepared,
    command,
    editions: async () => (await command('editions')).stdout.match(/^(\*| ) edition \d+/gm) ?? [],
  };
}

describe.each(ENGINES)('switching editions (%s)', (engine) => {
  const { database, command, editions } = useDatabase(engine);

  test('a running server switches without a failed or mixed answer', async () => {
    const [one, two] = [served(1), served(2)];
    expect(one).not.toEqual(two);
    await publishBundle(database(), bundle(1));
    const server = await serveDatabase(database());
    const reader = startReader(server, [one, two]);
    await reader.sees(one);
    await publishBundle(database(), bundle(2));
    await reader.sees(two);
    await reader.stop();
    expect(await takeSnapshot(server)).toEqual(two);
    await server.stop();
  });

  test('rollback serves the edition before, and publishing goes on from there', async () => {
    const [one, two, three] = [served(1), served(2), served(3)];
    await publishBundle(database(), bundle(1));
    await publishBundle(database(), bundle(2));
    const server = await serveDatabase(database());
    const reader = startReader(server, [one, two, three]);
    await reader.sees(two);
    const rolledBack = await command('rollback');
    expect(rolledBack).toMatchObject({ code: 0, stderr: '' });
    expect(rolledBack.stdout).toBe(
      'Now serving edition 1: 70 persons, 20 subjects, 40 locations and 70 events.\n',
    );
    await reader.sees(one);
    expect(await editions()).toEqual(['  edition 2', '* edition 1']);
    expect(await command('rollback')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'archive-api: no edition before edition 1 is kept\n',
    });
    await publishBundle(database(), bundle(3));
    await reader.sees(three);
    await reader.stop();
    await server.stop();
    expect(await editions()).toEqual(['* edition 3', '  edition 1']);
  });

  test('of two publishes at once, one is refused in a clear sentence', async () => {
    const large = await makeBundle(database().folder, { records: 3000, seed: 9 });
    await publishBundle(database(), bundle(1));
    const first = startProcess(['publish', large], settingsFor(database()));
    await editionIsWritten(database());
    expect(await command('publish', bundle(2))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'archive-api: another publish into this database is under way; try again when it has ended\n',
    });
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await editions()).toEqual(['* edition 2', '  edition 1']);
  });
});

describe('editions, on any engine', () => {
  const { database, command, editions } = useDatabase('sqlite');

  test('the newest editions are kept: two, or as many as asked', async () => {
    for (const number of [1, 2, 3] as const) await publishBundle(database(), bundle(number));
    expect(await editions()).toEqual(['* edition 3', '  edition 2']);
    await publishBundle(database(), bundle(1), ['--keep', '3']);
    expect(await editions()).toEqual(['* edition 4', '  edition 3', '  edition 2']);
    const { stdout } = await publishBundle(database(), bundle(2), ['--keep', '2']);
    expect(stdout).toMatch(/No longer kept: edition 3\.\n$/);
    expect(await editions()).toEqual(['* edition 5', '  edition 4']);
  });

  test('fewer than two cannot be kept: servers may still read the one served until now', async () => {
    expect(await command('publish', bundle(1), '--keep', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--keep: expected a whole number from 2'),
    });
  });

  test('a failed publish changes nothing', async () => {
    await publishBundle(database(), bundle(1));
    const server = await serveDatabase(database());
    const before = await takeSnapshot(server);
    const bad = await writeBundle(join(database().folder, 'bad'), { person: [{ id: 1 }] });
    const failed = await command('publish', bad);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toBe(
      'persons.jsonl:1: uuid: is missing: every record has a uuid\n' +
        'archive-api: the bundle has 1 fault; nothing was changed.\n',
    );
    expect(await editions()).toEqual(['* edition 1']);
    expect(await takeSnapshot(server)).toEqual(before);
    await server.stop();
  });

  test('a server that starts before anything is published says so, and serves what comes', async () => {
    const server = await serveDatabase(database());
    const early = await server.fetch('/en/api/persons');
    expect(early.status).toBe(503);
    expect(early.headers.get('content-type')).toBe('application/problem+json');
    expect(await early.json()).toMatchObject({ status: 503, title: 'Nothing published yet' });
    await publishBundle(database(), bundle(1));
    await server.process.said(/"msg":"serving edition"/);
    expect((await server.fetch('/en/api/persons')).status).toBe(200);
    await server.stop();
  });
});

/** Waits until a publish has begun to write. */
async function editionIsWritten(prepared: TestDatabase): Promise<void> {
  const database: Database = openDatabase(prepared);
  try {
    while (!(await database('editions').where({ status: 'writing' }).first('id')));
  } finally {
    await database.destroy();
  }
}
