import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  COLLECTIONS,
  type Editions,
  type Gone,
  KINDS,
  type Manifest,
  manifestSchema,
} from '@archiefkast/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor, startProcess } from '../support/api-process.ts';
import { type ApiServer, ITSELF, publishServed, serveDatabase, untilServed } from '../support/api-server.ts';
import { DATED_BUNDLE } from '../support/dated-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { freePort } from '../support/free-port.ts';
import { readTables } from '../support/read-tables.ts';
import { expireLeases, KILL_AT } from '../support/struck-process.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';
import { getJson } from '../support/walk.ts';

const person = (id: number, name: string) => ({
  ...{ id: id + 100, uuid: uuidOf('person', id), title_nl: name, last_name: name },
});
const HIDDEN = 'Verdwijnsel';

/** Writes a text into the free part of the last page of rows, as SQLite leaves it of rows that it moved; the file has no free pages. */
async function leaveInPage(file: string, text: string): Promise<void> {
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA freelist_count').get()).toEqual({ freelist_count: 0 });
  const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = await readFile(file);
  // https://www.sqlite.org/fileformat2.html#b_tree_pages: 13 is a leaf with rows; its free part ends where their contents begin.
  const pages = Array.from({ length: bytes.length / size - 1 }, (_, at) => (at + 1) * size);
  const page = pages.findLast(
    (start) =>
      bytes[start] === 13 &&
      bytes.readUInt16BE(start + 5) - 2 * bytes.readUInt16BE(start + 3) > 8 + text.length,
  );
  if (page === undefined) throw new Error(`${file} has no page with room for ${text}`);
  bytes.write(text, page + bytes.readUInt16BE(page + 5) - text.length, 'latin1');
  await writeFile(file, bytes);
}

describeEngines('a copy that follows its original (%s)', (engine) => {
  let originalDatabase: TestDatabase;
  let copyDatabase: TestDatabase;
  let original: ApiServer;
  let copy: ApiServer;
  /** The address of the original, at a proxy that alters its responses. */
  let address: string;
  let alter: (path: string, body: string) => string = (_, body) => body;
  const proxy = createServer(async ({ url = '' }, response) => {
    const sent = await fetch(original.origin + url);
    const body = Buffer.from(await sent.arrayBuffer());
    const altered = alter(url, body.toString('latin1'));
    const headers = Object.fromEntries(sent.headers);
    for (const name of [
      'connection',
      'keep-alive',
      'transfer-encoding',
      'content-length',
      'content-encoding',
    ])
      delete headers[name];
    response.writeHead(sent.status, headers).end(Buffer.from(altered, 'latin1'));
  });

  let edition = 0;
  async function publishOriginal(persons: object[], args: string[] = []): Promise<void> {
    const lines = { ...DATED_BUNDLE, person: [...DATED_BUNDLE.person, ...persons] };
    const archive = { partial_dates: 'first-day' };
    await publishServed(originalDatabase, lines, { server: original, archive, args });
    edition += 1;
  }
  const settingsOf = (database: TestDatabase) => ({
    ...settingsFor(database),
    FOLLOW_DIR: join(database.folder, 'follow'),
  });
  const follow = (database = copyDatabase, from = address, args = ['--once']) =>
    runApiHere(['follow', from, ...args], settingsOf(database));
  const manifestOf = async (server: ApiServer): Promise<Manifest> =>
    manifestSchema.parse(await getJson(server, '/en/api/dump/manifest.json'));
  const hashesOf = ({ dumps }: Manifest) => dumps.map(({ name, blocks, sha256 }) => [name, blocks, sha256]);
  /** Waits until a copy serves what its original does, and compares both. */
  async function expectSame(server = copy): Promise<void> {
    const wanted = await manifestOf(original);
    for (
      let tries = 0;
      (await manifestOf(server)).edition.key !== wanted.edition.key && tries < 200;
      tries += 1
    )
      await sleep(50);
    const found = await manifestOf(server);
    expect(found.edition.key).toBe(wanted.edition.key);
    expect(hashesOf(found)).toEqual(hashesOf(wanted));
    for (const kind of KINDS) {
      const path = `/nl/api/${COLLECTIONS[kind]}`;
      const [own, theirs] = await Promise.all(
        [server, original].map(async ({ fetch, baseUrl }) =>
          (await (await fetch(path)).text()).replaceAll(baseUrl, ''),
        ),
      );
      expect(own).toBe(theirs);
    }
  }
  const editionKeys = async (database: TestDatabase) =>
    (await readTables(database)).get('editions')?.map(({ key }) => String(key));
  const ready = async () => await (await copy.admin('/ready')).json();

  beforeAll(async () => {
    originalDatabase = await createTestDatabase(engine);
    copyDatabase = await createTestDatabase(engine);
    await publishOriginal([person(1, 'Eerste'), person(2, HIDDEN), person(8, 'Vroeger')]);
    await publishOriginal([person(1, 'Eerste'), person(2, HIDDEN)], ['--keep', '1']);
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    original = await serveDatabase(originalDatabase, { BASE_URL: address });
    expect(await follow()).toMatchObject({ code: 0 });
    copy = await serveDatabase(copyDatabase, { BASE_URL: ITSELF });
  });
  afterAll(() => void proxy.close());

  test('says of a record that was taken back before it was begun what its original says', async () => {
    const { records } = await getJson<Gone>(copy, '/nl/api/gone');
    expect(records.map(({ kind, uuid }) => [kind, uuid])).toEqual([['person', uuidOf('person', 8)]]);
    for (const path of [`/en/api/persons/${uuidOf('person', 8)}`, `/id/${uuidOf('person', 8)}`])
      expect([path, (await copy.fetch(path)).status]).toEqual([path, (await original.fetch(path)).status]);
    expect((await copy.fetch(`/id/${uuidOf('person', 8)}`)).status).toBe(410);
  });

  test('has the records, the manifest and the key of the edition, and says whose copy it is', async () => {
    await expectSame();
    const { edition: named, archive } = await manifestOf(copy);
    expect(archive?.mirror_of).toMatchObject({ address, key: named.key, edition: 2 });
    expect((await getJson<Editions>(copy, '/en/api/editions')).editions).toEqual([
      expect.objectContaining({ key: named.key, original: { id: 2, key: named.key } }),
    ]);
    const page = await copy.fetch(`/en/api/persons?edition=${named.key}`);
    expect(page.status).toBe(200);
    expect(await ready()).toMatchObject({ ready: true, mirror: { fault: null } });
    const metrics = await (await copy.admin('/metrics')).text();
    expect(metrics).toMatch(/^archive_mirror_lag_seconds \d/m);
  });

  test('writes nothing, and takes no lease, while nothing changes', async () => {
    const tables = async () => ({ ...Object.fromEntries(await readTables(copyDatabase)), archive: null });
    const before = await tables();
    expect(await follow()).toMatchObject({ code: 0 });
    expect(await tables()).toEqual(before);
  });

  test('takes what changed, and drops what was taken down, from every file', async () => {
    await publishOriginal([person(1, 'Eerste, anders'), person(3, 'Derde')], ['--keep', '1']);
    expect(await follow()).toMatchObject({ code: 0 });
    await expectSame();
    expect(await editionKeys(copyDatabase)).toEqual([(await manifestOf(original)).edition.key]);
    expect((await copy.fetch(`/en/api/persons/${uuidOf('person', 2)}`)).status).toBe(410);
    expect(JSON.stringify([...(await readTables(copyDatabase))])).not.toContain(HIDDEN);
    for (const name of await readdir(copyDatabase.folder, { recursive: true })) {
      const file = join(copyDatabase.folder, name);
      if (!(await stat(file)).isFile()) continue;
      const text = (await readFile(file, 'latin1')).toLowerCase();
      expect(text.includes(HIDDEN.toLowerCase()), name).toBe(false);
    }
  });

  test('goes back with its original to an edition that it has', async () => {
    await publishOriginal([person(4, 'Vierde')], ['--keep', '3']);
    expect(await follow()).toMatchObject({ code: 0 });
    const keys = await editionKeys(copyDatabase);
    expect(keys).toHaveLength(2);
    await runApiHere(['rollback'], settingsFor(originalDatabase));
    await untilServed(original, edition - 1);
    expect(await follow()).toMatchObject({ code: 0 });
    await expectSame();
    expect(await editionKeys(copyDatabase)).toEqual(keys);
    await runApiHere(['switch', String(edition)], settingsFor(originalDatabase));
    await untilServed(original, edition);
    expect(await follow()).toMatchObject({ code: 0 });
    await expectSame();
  });

  test('can itself be followed, with the identity of the original', async () => {
    const third = await createTestDatabase(engine);
    expect(await follow(third, copy.origin)).toMatchObject({ code: 0 });
    const server = await serveDatabase(third, { BASE_URL: ITSELF });
    await expectSame(server);
    expect((await manifestOf(server)).archive).toEqual((await manifestOf(copy)).archive);
    expect((await manifestOf(server)).archive?.mirror_of.address).toBe(address);
  });

  test('serves nothing that is not proven, says why, and goes on when it is true again', async () => {
    const before = await editionKeys(copyDatabase);
    await publishOriginal([person(4, 'Vierde'), person(5, 'Waarheid')], ['--keep', '3']);
    alter = (path, body) =>
      /dump\/persons|changes|api\/persons/.test(path) ? body.replaceAll('Waarheid', 'Leugens!') : body;
    const lied = await follow();
    expect(lied.code).toBe(1);
    expect(lied.stderr).toMatch(/differ from what the archive published|not proven/);
    expect(await editionKeys(copyDatabase)).toEqual(before);
    const persons = await (await copy.fetch('/en/api/dump/persons.jsonl')).text();
    expect(persons).not.toMatch(/Leugens|Waarheid/);
    for (let tries = 0; (await ready()).mirror.fault === null && tries < 100; tries += 1) await sleep(50);
    expect(await ready()).toMatchObject({
      ready: true,
      mirror: { fault: expect.stringContaining('persons') },
    });
    alter = (_, body) => body;
    expect(await follow()).toMatchObject({ code: 0 });
    await expectSame();
  });

  test('refuses what cannot be followed, and an unreachable original can be tried again', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await follow(copyDatabase, nowhere)).toMatchObject({ code: 4 });
    alter = (path, body) => (path.includes('manifest') ? body.replace('"archive":', '"ignored":') : body);
    const unnamed = await follow();
    alter = (_, body) => body;
    expect(unnamed).toMatchObject({ code: 1 });
    expect(unnamed.stderr).toContain(`${address} has no manifest that says of which archive it is`);
    const keys = await editionKeys(originalDatabase);
    const own = await follow(originalDatabase);
    expect(own).toMatchObject({ code: 1 });
    expect(own.stderr).toContain(`expected an empty database or a copy of ${address}, not of none`);
    expect(await editionKeys(originalDatabase)).toEqual(keys);
    expect((await follow(copyDatabase, 'archive.test')).stderr).toContain('expected an address such as');
    expect((await follow(copyDatabase, address, ['--every', 'often'])).stderr).toContain(
      '--every: expected a duration such as 90s, 15m or 1h',
    );
  });

  test('finishes a take-down that was killed', async () => {
    await publishOriginal([person(8, 'Achtste')], ['--keep', '1']);
    const environment = {
      ...settingsOf(copyDatabase),
      ...{ NODE_OPTIONS: `--import=${KILL_AT}`, KILL_LIKE: 'delete from `blocks`', KILL_WHEN: 'before' },
    };
    const { signal } = await startProcess(['follow', address, '--once'], environment).ended;
    expect(signal).toBe('SIGKILL');
    expect((await editionKeys(copyDatabase))?.length).toBeGreaterThan(1);
    await expireLeases(copyDatabase);
    expect(await follow()).toMatchObject({ code: 0 });
    expect(await editionKeys(copyDatabase)).toEqual([(await manifestOf(original)).edition.key]);
  });

  if (engine === 'sqlite')
    test('erases what a take-down left in a page of the file, when it was killed before that', async () => {
      const database = await createTestDatabase(engine);
      expect(await follow(database)).toMatchObject({ code: 0 });
      await publishOriginal([person(9, 'Negende')], ['--keep', '1']);
      const environment = {
        ...settingsOf(database),
        ...{ NODE_OPTIONS: `--import=${KILL_AT}`, KILL_LIKE: 'vacuum', KILL_WHEN: 'before' },
      };
      const { signal } = await startProcess(['follow', address, '--once'], environment).ended;
      expect(signal).toBe('SIGKILL');
      await expireLeases(database);
      const file = join(database.folder, 'archive.sqlite');
      const left = async () => (await readFile(file, 'latin1')).includes(HIDDEN);
      await leaveInPage(file, HIDDEN);
      expect(await left()).toBe(true);
      expect(await follow(database)).toMatchObject({ code: 0 });
      expect(await left()).toBe(false);
    });

  test('goes on after a kill at any moment, by itself, and stops by a signal', async () => {
    const start = () => startProcess(['follow', address, '--every', '1s'], settingsOf(copyDatabase));
    await publishOriginal([person(6, 'Zesde')], ['--keep', '1']);
    for (const milliseconds of [300, 700, 1_100]) {
      const killed = start();
      await sleep(milliseconds);
      killed.kill('SIGKILL');
      await killed.ended;
    }
    const running = start();
    // The last one that was killed may have done all, and then this one says nothing.
    const { key } = (await manifestOf(original)).edition;
    const served = async () => (await manifestOf(copy)).edition.key;
    await expect.poll(served, { timeout: 60_000, interval: 100 }).toBe(key);
    await expectSame();
    await publishOriginal([person(7, 'Zevende')], ['--keep', '1']);
    await expectSame();
    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 143 });
  }, 120_000);

  test('responds 503 when it was not verified for MAX_MIRROR_AGE', async () => {
    const strict = await serveDatabase(
      copyDatabase,
      { BASE_URL: ITSELF, MAX_MIRROR_AGE: '5s' },
      { until: '/live' },
    );
    /** The status of a list, and the name of its problem. */
    const answer = async () => {
      const response = await strict.fetch('/en/api/persons');
      const { type = '' } = await response.json();
      return `${response.status} ${type.split('/').at(-1)}`;
    };
    const reason = async () => String((await (await strict.admin('/ready')).json()).reason);
    for (let time = 0; time < 2; time += 1) {
      while (!(await reason()).includes('MAX_MIRROR_AGE: follow does not run')) await sleep(50);
      expect(await answer()).toBe('503 not-current');
      expect((await strict.fetch('/health')).status).toBe(503);
      expect(await follow()).toMatchObject({ code: 0 });
      while ((await answer()) !== '200 ') await sleep(20);
    }
  }, 120_000);
});
