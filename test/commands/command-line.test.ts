import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishHere, runApiHere, serveHere } from '../support/api-here.ts';
import { runApi, settingsFor } from '../support/api-process.ts';
import { serveDatabase } from '../support/api-server.ts';
import { writeBundle, writeFixture } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  createTestDatabase,
  describeEngines,
  type Engine,
  type TestDatabase,
} from '../support/test-database.ts';

test('help is written to stdout', async () => {
  const { code, stdout, stderr } = await runApi(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('archive-api publish <bundle>');
});

let folder: string;
let bundle: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await temporaryFolder();
  bundle = await writeFixture(folder);
});

/** Runs a command on the database of a test. */
const run = (...args: string[]) => runApiHere(args, settingsFor(database));

/** Gives each test of a suite an empty database. */
function useDatabase(engine: Engine): void {
  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
}

describeEngines('commands (%s)', (engine) => {
  useDatabase(engine);

  test('migrate once, publish, hold, switch, roll back, and list the editions', async () => {
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: 'Migrated: release-2.0.\n' });
    const nothing = { code: 0, stdout: '', stderr: 'Nothing has been published yet.\n' };
    expect(await run('editions')).toMatchObject(nothing);
    expect(await run('rollback')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'archive-api: nothing has been published yet\n',
    });
    const upToDate = 'The tables are up to date.\n';
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: upToDate, stderr: '' });

    const published = await run('publish', bundle);
    expect(published).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(warning: .*\n)+$/) });
    expect(published.stdout).toMatch(
      /^Published edition 1: 23 persons, 12 subjects, 11 locations and 13 events, in \d+\.\d s\.\n$/,
    );
    expect((await run('editions')).stdout).toMatch(
      /^\* edition 1 {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}23 persons, 12 subjects, 11 locations and 13 events, from \S+ by \S+@\S+\n$/,
    );
    expect(await run('publish', bundle, '--force', '--hold')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('run archive-api switch 2.'),
    });
    expect((await run('editions')).stdout).toMatch(/^ {2}edition 2 .*, held: \S+\n\* edition 1 .*\n$/);
    expect(await run('rollback')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no edition before edition 1 is kept'),
    });
    expect(await run('switch', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('edition 7 is not kept; expected one of 2, 1'),
    });
    expect(await run('switch', '2')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('editions')).stdout).toMatch(
      /^\* edition 2 .*\n {2}edition 1 .*\nswitch {2}\S+ {2}from edition 1 to 2, by \S+\n$/,
    );
    expect(await run('rollback')).toMatchObject({ code: 0, stderr: '' });
    expect((await run('editions')).stdout).toMatch(
      /^ {2}edition 2 .*\n\* edition 1 .*\nrollback .* from edition 2 to 1, .*\nswitch .*\n$/,
    );
  });

  test('a process that migrates and one that publishes can begin on an empty database together', async () => {
    const ended = await Promise.all(
      [['migrate'], ['publish', bundle]].map((args) => runApi(args, settingsFor(database))),
    );
    const said = ended.map(({ code, stderr }) => [code, stderr.replaceAll(/^warning: .*\n/gm, '')]);
    expect(said).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });
});

describe('serving', () => {
  useDatabase('sqlite');

  test('counts of one are singular, and an empty archive can be published', async () => {
    const one = await writeBundle(join(database.folder, 'one'), {
      person: [{ id: 1, uuid: uuidOf('person', 1) }],
    });
    expect((await run('publish', one)).stdout).toContain('1 person, 0 subjects, 0 locations and 0 events');
    const none = await writeBundle(join(database.folder, 'none'), {});
    expect((await run('publish', none)).stdout).toContain('0 persons, 0 subjects, 0 locations and 0 events');
    const server = await serveHere(database);
    const page = await (await fetch(`${server.origin}/en/api/persons`)).json();
    expect(page).toEqual({ next: null, previous: null, count: 0, total: 0, language: 'en', results: [] });
    expect((await fetch(`${server.origin}/en/api/search?page=2`)).status).toBe(404);
  });

  test('serve prints working addresses, and logs JSON lines; a signal lets requests in flight finish', async () => {
    await publishHere(database, await writeBundle(join(database.folder, 'busy'), busyPlace(400)));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await serveDatabase(database);
      await server.process.said(/Stop with Ctrl-C/);
      const [, ...addresses] = server.process.stdout().match(/https?:\/\/\S+/g) ?? [];
      expect(addresses.slice(0, 2)).toEqual([`${server.baseUrl}/`, `${server.baseUrl}/docs`]);
      for (const address of addresses.slice(0, 2)) expect((await server.fetch(address)).status).toBe(200);

      const agent = new Agent({ keepAlive: true });
      const sent = request(`${server.origin}/en/api/events`, { agent }).end();
      const [response] = await once(sent, 'response');
      // Larger than the socket buffers: the server cannot have sent it all while the client does not read.
      response.pause();
      server.process.kill(signal);
      const isRefused = () =>
        fetch(`${server.origin}/en/api/persons`).then(
          () => false,
          () => true,
        );
      await expect.poll(isRefused, { timeout: 10_000 }).toBe(true);
      let bytes = 0;
      for await (const chunk of response) bytes += chunk.length;
      expect(bytes).toBe(Number(response.headers['content-length']));
      expect(bytes).toBeGreaterThan(5_000_000);
      const { code, stderr } = await server.process.ended;
      expect(code).toBe(0);
      for (const line of stderr.trim().split('\n')) {
        expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
      }
      agent.destroy();
    }
  });
});

test.each([[], ['--sample']])(
  'a port in use is named, and nothing is published: serve %s',
  async (...flags) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const settings = settingsFor(await createTestDatabase('sqlite'), { PORT: String(port) });
    const { code, stdout, stderr } = await runApiHere(['serve', ...flags], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`PORT: ${port} on 127.0.0.1 is in use; expected a free port\n`);
    expect((await runApiHere(['editions'], settings)).stderr).toContain('archive.sqlite does not exist');
    other.close();
  },
);

test('an older Node gets the required version, before any code that it cannot parse is loaded', async () => {
  const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';
  const { code, stdout, stderr } = await runApi(['serve'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^archive-api needs Node 24 or newer; this is Node 20\.1\.0\.\n$/);
});

/** A location with so many events that its page is large. */
function busyPlace(events: number) {
  return {
    location: [{ id: 1, uuid: uuidOf('location', 1) }],
    event: Array.from({ length: events }, (_, id) => ({
      id,
      uuid: uuidOf('event', id),
      content_nl: 'x'.repeat(2000),
      location: uuidOf('location', 1),
    })),
  };
}
