import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publishBundle, runApi, settingsFor } from '../../support/api-process.ts';
import { type ApiServer, serveDatabase, untilServed } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { type MysqlServer, startMariadbd } from '../../support/mariadbd.ts';
import { needs } from '../../support/programs.ts';
import { takeSnapshot } from '../../support/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

describe('a primary and a replica', needs('mariadbd'), () => {
  let primary: MysqlServer;
  let replica: MysqlServer;
  let scratch: TestDatabase;
  let bundles: string[];
  /** A server on the primary, and a server on the replica. */
  let beside: { primary: ApiServer; replica: ApiServer };

  /** The archive on one of them, as seen by a user of deploy/users.sql. */
  const archiveOn = (server: MysqlServer, task: string): TestDatabase => {
    const url = new URL('archive', server.url);
    url.username = `archive_${task}`;
    url.password = encodeURIComponent(`[${task} password]`);
    return { ...scratch, url: url.href };
  };

  beforeAll(async () => {
    scratch = await createTestDatabase('sqlite');
    [primary, replica] = await Promise.all([
      start('--server-id=1', '--log-bin=log', '--binlog-format=ROW'),
      start('--server-id=2', '--log-bin=log', '--read-only=1'),
    ]);
    const { port } = new URL(primary.url);
    await sql(primary, "create user replica@'%'; grant replication slave on *.* to replica@'%'");
    await sql(
      replica,
      `change master to master_host = '127.0.0.1', master_port = ${port}, master_user = 'replica',
         master_use_gtid = slave_pos; start slave`,
    );
    await sql(primary, await readFile(new URL('../../../deploy/users.sql', import.meta.url), 'utf8'));
    const migrated = await runApi(['migrate'], settingsFor(archiveOn(primary, 'migrate')));
    expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
    bundles = await Promise.all([1, 2].map((seed) => makeBundle(scratch.folder, { records: 200, seed })));
    await publish(0);
    await caughtUp();
    const derived = { DERIVED_DIR: join(scratch.folder, 'derived-beside-replica') };
    const [one, other] = await Promise.all([
      serveDatabase(archiveOn(primary, 'serve')),
      serveDatabase(archiveOn(replica, 'serve'), derived),
    ]);
    beside = { primary: one, replica: other };
  });

  async function publish(seed: number): Promise<void> {
    await publishBundle(archiveOn(primary, 'publish'), bundles[seed] ?? '');
  }

  /** Waits until the replica has applied all writes of the primary. */
  async function caughtUp(): Promise<void> {
    const position = await positionOf(primary, 'gtid_binlog_pos');
    expect(await sql(replica, `select master_gtid_wait('${position}', 30) as waited`)).toEqual([
      { waited: 0 },
    ]);
  }

  test('a server on the read-only replica has the responses of one on the primary', async () => {
    expect([...(await takeSnapshot(beside.replica))]).toEqual([...(await takeSnapshot(beside.primary))]);
  });

  test('a lagging replica does not know the edition, and serves it once it has caught up', {
    timeout: 120_000,
  }, async () => {
    const before = await takeSnapshot(beside.replica);
    const pinned = async () => {
      const response = await beside.replica.fetch('/en/api/persons?edition=2');
      return { status: response.status, body: await response.text() };
    };
    await sql(replica, 'stop slave sql_thread');
    await publish(1);
    const lagging = await pinned();
    expect(lagging.status, lagging.body).toBe(404);
    expect(JSON.parse(lagging.body)).toMatchObject({
      type: expect.stringMatching(/\/problems\/no-such-edition$/),
    });
    expect([...(await takeSnapshot(beside.replica))]).toEqual([...before]);

    const statuses: number[] = [];
    await sql(replica, 'start slave sql_thread');
    while (statuses.at(-1) !== 200) statuses.push((await pinned()).status);
    expect(new Set([404, ...statuses])).toEqual(new Set([404, 200]));
    await caughtUp();
    for (const server of [beside.primary, beside.replica]) await untilServed(server, 2);
    const after = await takeSnapshot(beside.replica);
    expect([...after]).toEqual([...(await takeSnapshot(beside.primary))]);
    expect([...after]).not.toEqual([...before]);
  });

  describe('with MAX_STALE, a server on the replica', () => {
    /** Starts a server; `statuses` are of a page, of the same page again, and of the health check. */
    const start = async () => {
      const settings = { MAX_STALE: '4s' };
      const server = await serveDatabase(archiveOn(replica, 'serve'), settings, { until: '/live' });
      return {
        get: server.fetch,
        stop: server.stop,
        statuses: () =>
          Promise.all(
            ['/en/api/persons', '/en/api/persons', '/health'].map(
              async (path) => (await server.fetch(path)).status,
            ),
          ),
        reason: async () => {
          const ready: unknown = await (await server.admin('/ready')).json();
          return z.object({ reason: z.string().optional() }).parse(ready).reason;
        },
      };
    };
    const bound = { timeout: 60_000 };

    test('does not respond if its user may not see the replication', { timeout: 180_000 }, async () => {
      const { statuses, reason, stop } = await start();
      expect(await statuses()).toEqual([503, 503, 503]);
      expect(await reason()).toMatch(
        /this user may not see the state of the replica; grant it REPLICA MONITOR/,
      );
      await stop();
    });

    test.each([
      ['io_thread', /the replica is not connected to its primary/],
      ['sql_thread', /the replica does not apply what it receives/],
    ])(
      'responds 503 while the replica is cut off (%s stopped), and again afterwards',
      { timeout: 300_000 },
      async (thread, why) => {
        await sql(primary, "grant replica monitor on *.* to archive_serve@'%'");
        await caughtUp();
        const { get, statuses, reason, stop } = await start();
        await expect.poll(statuses, bound).toEqual([200, 200, 200]);
        try {
          await sql(replica, `stop slave ${thread}`);
          await expect.poll(statuses, bound).toEqual([503, 503, 503]);
          expect(await reason()).toMatch(why);
          expect(await (await get('/en/api/persons')).json()).toMatchObject({
            type: expect.stringMatching(/\/problems\/not-current$/),
          });
        } finally {
          await sql(replica, `start slave ${thread}`);
        }
        await expect.poll(statuses, bound).toEqual([200, 200, 200]);
        await stop();
      },
    );
  });

  test('the replica rejects commands that write', { timeout: 120_000 }, async () => {
    const commands = [['publish', bundles[0] ?? ''], ['rollback']];
    const all = await Promise.all(
      commands.map((args) => runApi(args, settingsFor(archiveOn(replica, 'publish')))),
    );
    for (const { code, stderr } of all) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^archive-api: .*read-only/m);
    }
  });

  test('afterwards, nothing has written to the replica, and it still follows', async () => {
    const written = await positionOf(primary, 'gtid_binlog_pos');
    expect(written).toMatch(/^0-1-\d+$/);
    expect(await positionOf(replica, 'gtid_slave_pos')).toBe(written);
    // Its own log contains only writes that did not come from the primary.
    expect(await positionOf(replica, 'gtid_binlog_pos')).toBe('');
    expect(await sql(replica, 'show slave status')).toMatchObject([
      { Slave_IO_Running: 'Yes', Slave_SQL_Running: 'Yes', Last_Errno: 0 },
    ]);
  });
});

async function start(...options: string[]): Promise<MysqlServer> {
  const server = await startMariadbd(process.env['PATH'] ?? '', ['--skip-name-resolve', ...options]);
  if (!server) throw new Error('there is no mariadbd: install mariadb-server');
  endAtLast(server.stop);
  return server;
}

/** Runs SQL as root; returns the rows of one statement. */
async function sql(server: MysqlServer, text: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: server.url, multipleStatements: true });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(text);
    return rows;
  } finally {
    await connection.end();
  }
}

async function positionOf(server: MysqlServer, variable: string): Promise<string> {
  const [row] = await sql(server, `select @@global.${variable} as position`);
  return String(row?.['position']);
}
