import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Running } from '../../support/api-process.ts';
import type { ApiServer } from '../../support/api-server.ts';
import { type Archive, differences, makeArchives } from '../../support/archives.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { needs } from '../../support/programs.ts';
import { takeSnapshot } from '../../support/snapshot.ts';
import { type Seen, startWatch } from '../../support/watch.ts';
import { type Cluster, type Member, planCluster } from './cluster.ts';
import { type Harvested, harvest } from './harvest.ts';

const readySchema = z.object({
  ready: z.boolean(),
  reason: z.string().optional(),
  editions: z.array(z.number()),
});
const PROGRAMS = needs('mariadbd', '/usr/lib/galera/libgalera_smm.so', 'rsync', 'haproxy');
const MEMBERS: readonly Member[] = [1, 2, 3];

let cluster: Cluster;
let archives: readonly Archive[] = [];
/** The archive that is served when a test begins, and those that it can publish. */
let now: Archive;
let next: Archive;
let other: Archive;
const rows: string[] = [];

beforeAll(async () => {
  cluster = await planCluster();
  endAtLast(cluster.down);
  [archives] = await Promise.all([makeArchives(3, cluster.publicUrl), cluster.up()]);
});
/** Restores the initial state: every server serves the first archive. */
beforeEach(async () => {
  const pages = await takeSnapshot(reader()).catch(() => new Map<string, string>());
  const served = archives.findIndex((each) => differences(each, pages).length === 0);
  const first = Math.max(served, 0);
  [now, next, other] = [archive(first), archive(first + 1), archive(first + 2)];
  if (served < 0) await publish(now);
  await everyServerServes(now);
});
afterAll(() => {
  const head =
    '| event | responses | longest gap, s | failed requests | wrong responses | steps back to an earlier edition |';
  process.stdout.write(`\n${[head, '|---|---|---|---|---|---|', ...rows].join('\n')}\n`);
});

const archive = (number: number): Archive => {
  const found = archives[number % archives.length];
  if (!found) throw new Error('there are no archives');
  return found;
};
const reader = () => ({ fetch: (path: string) => fetch(cluster.publicUrl + path) });
const writer = () => cluster.databaseUrl('balancer', 'archive_publish');

async function publish({ bundle }: Archive): Promise<void> {
  const { code, stderr } = await cluster.run(['publish', bundle], writer());
  expect(stderr).not.toMatch(/archive-api:/);
  expect(code).toBe(0);
}

/** Runs an action while clients read; every response must be of one of these archives. */
async function during(event: string, expected: readonly Archive[], work: () => Promise<void>): Promise<Seen> {
  const watch = startWatch(
    cluster.publicUrl,
    expected.map(({ served }) => served),
  );
  let seen: Seen;
  try {
    await work();
  } finally {
    seen = await watch.stop();
    const { answers, silence, failed, wrong, stepsBack } = seen;
    const figures = [answers, (silence / 1000).toFixed(1), failed, wrong.length, stepsBack];
    rows.push(`| ${[event, ...figures].join(' | ')} |`);
  }
  expect(seen.wrong).toEqual([]);
  expect(seen.answers).toBeGreaterThan(0);
  return seen;
}

/** Retries until the check passes: a machine with two cores and fifteen servers is slow. */
async function eventually(check: () => Promise<void>, seconds = 60): Promise<void> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(100);
  }
}

/** Checks that every server serves this archive. */
async function everyServerServes(expected: Archive): Promise<void> {
  await Promise.all(MEMBERS.map((member) => serverServes(member, expected)));
}

async function serverServes(member: Member, expected: Archive): Promise<void> {
  await eventually(() => expectServed(cluster.server(member), expected));
}

async function expectServed(api: Pick<ApiServer, 'fetch'>, expected: Archive): Promise<void> {
  expect(differences(expected, await takeSnapshot(api))).toEqual([]);
}

/** The state of a server. */
async function readiness(member: Member): Promise<z.output<typeof readySchema>> {
  const response = await fetch(`${cluster.adminUrl(member)}/ready`);
  return readySchema.parse(await response.json());
}

/** The editions that a server has ready to serve. */
async function readyEditions(member: Member): Promise<number[]> {
  return (await readiness(member)).editions;
}

/** Checks that no table has rows of a deleted edition, and that one edition is served. */
async function expectNothingOrphaned(): Promise<void> {
  for (const table of ['entries', 'blocks', 'changes']) {
    const orphans = await cluster.sql(
      1,
      'use archive',
      `select distinct edition from ${table} where edition not in (select id from editions)`,
    );
    expect(orphans, table).toEqual([]);
  }
  const served = await cluster.sql(
    1,
    'use archive',
    'select e.status from served s join editions e on e.id = s.edition',
  );
  expect(served).toEqual([{ status: 'published' }]);
  expect(await cluster.sql(1, 'use archive', "select id from editions where status <> 'published'")).toEqual(
    [],
  );
}

describe('databases', PROGRAMS, () => {
  test('three concurrent migrations on three nodes create the tables once', async () => {
    await cluster.sql(1, 'create database young character set utf8mb4');
    const all = await Promise.all(
      MEMBERS.map((member) => cluster.run(['migrate'], cluster.databaseUrl(member, 'root', 'young'))),
    );
    expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      MEMBERS.map(() => ({ code: 0, stderr: '' })),
    );
    const made = all.filter(({ stdout }) => stdout.startsWith('Migrated: release-2.0'));
    expect(made, all.map(({ stdout }) => stdout).join('')).not.toHaveLength(0);
    for (const member of MEMBERS)
      expect(await cluster.sql(member, 'use young', 'select slot from archive')).toHaveLength(1);
    await cluster.sql(1, 'drop database young');
  });
});

describe('readers see one edition or the next, never a mix', PROGRAMS, () => {
  test('two publishes on two nodes: one is rejected, the other is served everywhere', async () => {
    await during('two publishes on two nodes', [now, next, other], async () => {
      const [first, second] = [
        cluster.start(['publish', next.bundle], cluster.databaseUrl(1, 'archive_publish')),
        cluster.start(['publish', other.bundle], cluster.databaseUrl(2, 'archive_publish')),
      ];
      const [holder, watcher] = await Promise.any([
        first.said(/Another process has the publish lease/).then(() => [second, first] as const),
        second.said(/Another process has the publish lease/).then(() => [first, second] as const),
      ]);
      await inBursts(holder, watcher.ended);
      const [one, two] = await Promise.all([first.ended, second.ended]);
      const codes = [one.code, two.code];
      expect(codes.toSorted(), `${one.stderr}${two.stderr}`).toEqual([0, 1]);
      const [won, refused] = one.code === 0 ? [next, two] : [other, one];
      expect(refused.stderr).toMatch(/another publish into this database is running/);
      await everyServerServes(won);
    });
    await expectNothingOrphaned();
  });

  describe('during a harvest, which completes', () => {
    /** The output of an undisturbed harvest of an archive. */
    const undisturbed = new Map<Archive, Harvested>();
    beforeEach(async () => {
      if (undisturbed.has(now)) return;
      const whole = await harvest(cluster.publicUrl);
      expect(whole.code, whole.stderr).toBe(0);
      undisturbed.set(now, whole);
    });

    /** Harvests through the load balancer while `work` runs, repeatedly until it ends. */
    const underHarvest = async (work: () => Promise<void>) => {
      let isDone = false;
      const working = sleep(300)
        .then(work)
        .finally(() => {
          isDone = true;
        });
      working.catch(() => {});
      while (!isDone) {
        const again = await harvest(cluster.publicUrl, ['--concurrency', '2']);
        expect(again.code, again.stderr).toBe(0);
        for (const [name, bytes] of undisturbed.get(now)?.files ?? [])
          expect(again.files.get(name)?.equals(bytes), name).toBe(true);
      }
      await working;
    };

    test('a server is killed, and restarts', async () => {
      await during('kill -9 of a server', [now], () =>
        underHarvest(async () => {
          await cluster.signal('server2', 'SIGKILL');
          await sleep(1_500);
          await cluster.startAgain('server2');
        }),
      );
    });

    test('a database node is killed, and restarts', async () => {
      await during('kill -9 of a database node', [now], () =>
        underHarvest(async () => {
          await cluster.signal('node3', 'SIGKILL');
          await sleep(2_000);
          await cluster.startAgain('node3');
        }),
      );
    });

    test('a publish is killed, and the next publish is served', async () => {
      await during('kill -9 of a publish', [now], () =>
        underHarvest(async () => {
          const publishing = cluster.start(['publish', next.bundle], writer());
          await editionIsWritten();
          publishing.kill('SIGKILL');
          expect(await publishing.ended).toMatchObject({ signal: 'SIGKILL' });
        }),
      );
      await during('the publish after it', [now, next], async () => {
        await publish(next);
        await everyServerServes(next);
      });
      await expectNothingOrphaned();
    });
  });

  test('a node lags during a harvest of an edition that it does not have yet', async () => {
    const release = await cluster.holdUp(3);
    await during('one node lags for 3 s', [now, next], async () => {
      await publish(next);
      for (const member of [1, 2] as const) await serverServes(member, next);
      await expectServed(cluster.server(3), now);
      const released = sleep(3_000).then(release);
      const harvests = await Promise.all([1, 2, 3, 4].map(() => harvest(cluster.publicUrl)));
      await released;
      for (const { code, stderr } of harvests) expect(code, stderr).toBe(0);
      await everyServerServes(next);
    });
  });

  test('publish --await serves the edition when all named servers are ready for it', async () => {
    await during('publish --await while one node lags', [now, next], async () => {
      const release = await cluster.holdUp(3);
      const nodes = `${cluster.adminUrl(2)},${cluster.adminUrl(3)}`;
      const publishing = cluster.start(['publish', next.bundle, '--await', nodes], writer());
      const [, number] = await publishing.said(/Waiting for 2 nodes to be ready for edition (\d+)/);
      const edition = Number(number);
      await eventually(async () => expect(await readyEditions(2)).toContain(edition));
      // Long enough for the publish to check both again.
      await sleep(1_500);
      expect(await readyEditions(3)).not.toContain(edition);
      for (const member of MEMBERS) await expectServed(cluster.server(member), now);
      await release();
      const { code, stderr } = await publishing.ended;
      expect(code, stderr).toBe(0);
      for (const member of [2, 3] as const) expect(await readyEditions(member)).toContain(edition);
      await everyServerServes(next);
    });
    await expectNothingOrphaned();
  });

  test('two of three nodes are stopped: reads continue, a publish is rejected, until they resume', async () => {
    await during('two nodes stopped: no majority', [now], async () => {
      await cluster.signal('node2', 'SIGSTOP');
      await cluster.signal('node3', 'SIGSTOP');
      try {
        await eventually(async () => expect(await cluster.isSynced(1)).toBe(false));
        await expectServed(reader(), now);
        const { code, stderr } = await cluster.run(['publish', next.bundle], writer());
        expect(code).toBe(1);
        expect(stderr).toMatch(/^archive-api: .*WSREP has not yet prepared node for application use/m);
      } finally {
        await cluster.signal('node2', 'SIGCONT');
        await cluster.signal('node3', 'SIGCONT');
      }
      await everyNodeIsSynced();
      await everyServerServes(now);
    });
  });

  test('servers and nodes are restarted one after the other: no request fails', async () => {
    const servers = await during('restart of all servers, one by one', [now], () => restartServers());
    expect(servers.failed).toBe(0);
    const nodes = await during('restart of all nodes, one by one', [now], async () => {
      for (const member of MEMBERS) {
        await cluster.stop(`node${member}`);
        await cluster.startAgain(`node${member}`);
        await everyNodeIsSynced();
        await eventually(async () => expect(await readiness(member)).toMatchObject({ ready: true }));
      }
    });
    expect(nodes.failed).toBe(0);
  });

  test('a node is cut off: the publish that withdraws records is not seen there', async () => {
    const rejoin = await cluster.cutOff(3);
    try {
      await during('a node is cut off from the others', [now], async () => {
        await eventually(async () => expect(await cluster.isSynced(3)).toBe(false));
        await expectServed(cluster.server(3), now);
      });
      await during('`publish --keep 1` while a node is cut off', [now, next], async () => {
        const { code, stderr } = await cluster.run(['publish', next.bundle, '--keep', '1'], writer());
        expect(code, stderr).toBe(0);
        expect(stderr).toMatch(/^The database is a cluster, and it is not known whether every node has/m);
        for (const member of [1, 2] as const) await serverServes(member, next);
        await expectServed(cluster.server(3), now);
      });
    } finally {
      await rejoin();
      await everyNodeIsSynced();
    }
    await everyServerServes(next);
  });

  test('the node that a publish writes to is killed: the publish fails, or is served', async () => {
    await during('kill -9 of the node that is written to', [now, next], async () => {
      const publishing = cluster.start(['publish', next.bundle], writer());
      await editionIsWritten(2);
      await cluster.signal('node1', 'SIGKILL');
      const { code, stderr } = await publishing.ended;
      if (code !== 0) {
        expect(stderr).toMatch(/^archive-api: /m);
        await publish(next);
      }
      await cluster.startAgain('node1');
      await everyServerServes(next);
    });
    await expectNothingOrphaned();
  });
});

/**
 * Lets a publish run in short bursts until another has ended: long enough to renew its lease, too short to finish before the
 * other sees the renewal.
 */
async function inBursts(publishing: Running, other: Promise<unknown>): Promise<void> {
  let isWatching = true;
  void other.then(() => {
    isWatching = false;
  });
  while (isWatching) {
    publishing.kill('SIGSTOP');
    await sleep(400);
    publishing.kill('SIGCONT');
    await sleep(50);
  }
}

/** Waits until every node is in the majority, and has the writes of the others. */
async function everyNodeIsSynced(): Promise<void> {
  for (const member of MEMBERS)
    await eventually(async () => expect(await cluster.isSynced(member)).toBe(true));
}

/** Restarts every server , one after the other. */
async function restartServers(): Promise<void> {
  for (const member of MEMBERS) {
    await cluster.stop(`server${member}`);
    await cluster.startAgain(`server${member}`);
    await eventually(async () => expect(await readiness(member)).toMatchObject({ ready: true }));
  }
}

/** Waits until a publish has begun to write. */
async function editionIsWritten(at: Member = 1): Promise<void> {
  while (
    (await cluster.sql(at, 'use archive', "select id from editions where status = 'writing'")).length === 0
  )
    await sleep(20);
}
