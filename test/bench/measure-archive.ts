import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRandom } from '../../apps/api/testing/random.ts';
import type { Settings } from '../support/api-process.ts';
import { createDatabase, type TestDatabase } from '../support/create-database.ts';
import { peakMemory } from '../support/memory.ts';
import { type DatabaseServer, storedMegabytes } from './database-server.ts';
import { assertSamePage, startDjango } from './django.ts';
import { measureFollow } from './follow.ts';
import { generateBundle } from './generate-bundle.ts';
import type { Load } from './load.ts';
import { startApi } from './processes.ts';
import { changeSome, publish } from './publish.ts';
import type { BuildName, Measured } from './report.ts';
import type { Scenario } from './rows.ts';
import { type Sample, takeSample } from './sample.ts';
import { type Loadable, measureLight, SERVER_SCENARIOS, type Subject } from './scenarios.ts';

/** Events at the first place of an archive, of which light lists are measured. */
const AT_PLACE = { small: 10, busy: 10_000 };

/** Records that are changed between two publishes whose cost is measured. */
const CHANGED = 100;

/** A built checkout. */
export interface Build {
  name: BuildName;
  /** Its archive-api.js and archive-cli.js. */
  api: string;
  cli: string;
}

/** What to measure of an archive, and how. */
export interface Plan {
  /** One build, or two that are measured in turn. */
  builds: readonly Build[];
  /** The MariaDB server; undefined to measure on SQLite. */
  server: DatabaseServer | undefined;
  bundle: string;
  scenarios: readonly Scenario[];
  rounds: number;
  /** Number of editions that this checkout keeps while its server is measured, a hundredth of the records changed in each. */
  editions: number;
  load: Load;
  /** A Python with Django REST Framework; undefined to measure without. */
  python: string | undefined;
  /** Reports progress. */
  say(text: string): void;
}

/** An archive as a build has published it. */
interface Published {
  build: Build;
  database: TestDatabase;
  /** CPU time of the first publish. */
  cpuSeconds: number;
}

/**
 * Publishes an archive with each build, serves and loads it, and publishes it again. Each step is measured of one build right after the other,
 * and the order alternates between rounds, so that a machine that is slow for a while slows both down. All servers, Django too, serve the first
 * edition, of the same bundle: what is published after it is published when they have stopped.
 */
export async function measureArchive(plan: Plan, measured: Measured): Promise<void> {
  const { builds, rounds, scenarios, say } = plan;
  const hasPublish = scenarios.includes('publish');
  await using open = new AsyncDisposableStack();
  say('  first publish');
  const published = await publishFirst(plan, builds, open, hasPublish ? measured : undefined);
  if (plan.editions > 1) await publishEditions(plan, published, measured);
  if (scenarios.some((each) => each in SERVER_SCENARIOS)) await measureServers(plan, published, measured);
  if (scenarios.includes('light')) await measurePlaces(plan, measured);
  if (scenarios.includes('follow')) await measureCopies(plan, measured);
  if (!hasPublish) return;
  say('  next publishes');
  await publishNext(plan, published, measured);
  // One publish is measured well enough for a table, by its CPU time; a comparison takes all rounds.
  for (let round = 1; round < rounds && builds.length > 1; round += 1) {
    say(`  publishes, round ${round + 1}`);
    await using again = new AsyncDisposableStack();
    const order = orderOf(builds, round);
    await publishNext(plan, await publishFirst(plan, order, again, measured), measured);
  }
}

function orderOf<Item>(items: readonly Item[], round: number): readonly Item[] {
  return round % 2 === 0 ? items : items.toReversed();
}

/** @param measured undefined if the cost is not measured */
async function publishFirst(
  { server, bundle }: Plan,
  builds: readonly Build[],
  open: AsyncDisposableStack,
  measured: Measured | undefined,
): Promise<Published[]> {
  const published: Published[] = [];
  for (const build of builds) {
    const database = await createDatabase(server ? 'mysql' : 'sqlite', server?.url ?? null);
    open.defer(() => database.drop());
    const { seconds, cpuSeconds, memory, written } = await publish(build.api, database, bundle, server);
    published.push({ build, database, cpuSeconds });
    if (!measured) continue;
    measured.add(build.name, 'first publish', 's', seconds);
    measured.add(build.name, 'first publish', 's of CPU', cpuSeconds);
    measured.add(build.name, 'first publish: memory', 'MB', memory);
    measured.add(build.name, 'first publish: written', 'MB', written);
    const stored = await storedMegabytes(database);
    measured.add(build.name, 'database', 'MB', stored.database);
    measured.add(build.name, 'derived files', 'MB', stored.derived);
  }
  return published;
}

/** Publishes more editions with this checkout, which share most of their records; the other build keeps its one. */
async function publishEditions(
  { server, bundle, editions, say }: Plan,
  published: readonly Published[],
  measured: Measured,
): Promise<void> {
  const { records } = measured;
  for (const { build, database } of published) {
    const first = await storedMegabytes(database);
    for (let edition = 1; edition < editions && build.name === 'now'; edition += 1) {
      say(`  edition ${edition + 1} of ${editions}`);
      const changed = await changeSome(bundle, { records, changed: Math.ceil(records / 100), edition });
      await publish(build.api, database, changed, server, '--keep', `${editions}`);
    }
    const all = await storedMegabytes(database);
    measured.add(build.name, 'database of all editions', 'of the first', all.database / first.database);
  }
}

/** Publishes the same bundle again, and then one with 100 records changed. */
async function publishNext(
  { server, bundle }: Plan,
  published: readonly Published[],
  measured: Measured,
): Promise<void> {
  const changed = await changeSome(bundle, { records: measured.records, changed: CHANGED });
  for (const { build, database } of published) {
    const { seconds, cpuSeconds, written } = await publish(build.api, database, bundle, server);
    measured.add(build.name, 'unchanged publish', 's', seconds);
    measured.add(build.name, 'unchanged publish', 's of CPU', cpuSeconds);
    measured.add(build.name, 'unchanged publish: written', 'MB', written);
  }
  for (const { build, database, cpuSeconds: first } of published) {
    const before = await storedMegabytes(database);
    const { seconds, cpuSeconds, memory, written } = await publish(build.api, database, changed, server);
    const what = 'publish of 100 changed';
    measured.add(build.name, what, 's', seconds);
    measured.add(build.name, what, 's of CPU', cpuSeconds);
    measured.add(build.name, `${what}: memory`, 'MB', memory);
    measured.add(build.name, `${what}, CPU`, 'of the first', cpuSeconds / first);
    measured.add(build.name, `${what}: written`, 'MB', written);
    const after = await storedMegabytes(database);
    measured.add(build.name, `${what}: growth of the database`, 'MB', after.database - before.database);
  }
}

/** Measures servers: they are started anew in each round. */
async function measureServers(
  plan: Plan,
  published: readonly Published[],
  measured: Measured,
): Promise<void> {
  const { builds, rounds, load, server, say } = plan;
  const random = createRandom(1);
  const hasReferences = builds.length === 1;
  const add = measured.add.bind(measured);
  await using open = new AsyncDisposableStack();
  const django = hasReferences ? await startPeer(plan, open) : undefined;
  const sample = await checkAndSample(published, django);
  // What was published and loaded is still being written to disk, which would disturb the measurement.
  await promisify(execFile)('sync');
  await server?.settle();
  for (let round = 0; round < rounds; round += 1) {
    await using servers = new AsyncDisposableStack();
    const start = async (settings: Settings) => {
      const subjects: (Subject & { pid: number })[] = [];
      for (const { build, database } of orderOf(published, round)) {
        const started = performance.now();
        const { origin, pid, stop } = await startApi(build.api, database, settings);
        add(build.name, 'start-up', 's', (performance.now() - started) / 1000);
        servers.defer(stop);
        subjects.push({ build: build.name, cli: build.cli, origin, pid, pids: [pid, ...pidsOf(server)] });
      }
      return subjects;
    };
    const cached = await start({});
    for (const scenario of plan.scenarios) {
      if (scenario === 'publish' || scenario === 'light' || scenario === 'follow') continue;
      say(`  ${scenario}, round ${round + 1}`);
      const subjects = scenario === 'cold' ? await start({ CACHE_MB: '0' }) : cached;
      await SERVER_SCENARIOS[scenario]({ subjects, hasReferences, django, sample, load, random, add });
    }
    for (const { build, pid } of cached) add(build, 'server: memory', 'MB', peakMemory(pid));
  }
}

/** Publishes two archives that differ in the number of events at one place, and measures light lists of both. */
async function measurePlaces(plan: Plan, measured: Measured): Promise<void> {
  const { builds, bundle, rounds, load, server, say } = plan;
  const add = measured.add.bind(measured);
  await using open = new AsyncDisposableStack();
  const start = async (build: Build, place: keyof typeof AT_PLACE): Promise<Subject> => {
    const folder = `${bundle}-${place}`;
    await generateBundle({ folder, records: measured.records, busyPlace: AT_PLACE[place] });
    const [published] = await publishFirst({ ...plan, bundle: folder }, [build], open, undefined);
    if (!published) throw new Error('measurePlaces: nothing was published');
    const { origin, pid, stop } = await startApi(build.api, published.database, { CACHE_MB: '0' });
    open.defer(stop);
    return { build: build.name, cli: build.cli, origin, pids: [pid, ...pidsOf(server)] };
  };
  say('  light: places with few and many events');
  const places: (readonly [Subject, Subject])[] = [];
  for (const build of builds) places.push([await start(build, 'small'), await start(build, 'busy')]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [small, busy] of orderOf(places, round)) await measureLight({ load, add }, small, busy);
  }
}

/** Measures how a copy of this checkout follows one of its archives. */
async function measureCopies({ builds, bundle, server, say }: Plan, measured: Measured): Promise<void> {
  say('  follow');
  const changed = await changeSome(bundle, { records: measured.records, changed: CHANGED });
  for (const build of builds) {
    if (build.name === 'now') await measureFollow(build, server, { bundle, changed }, measured);
  }
}

function pidsOf(server: DatabaseServer | undefined): number[] {
  return server ? [server.pid] : [];
}

/** Django with the same bundle on the same engine, for the scenario that compares with it. */
async function startPeer(
  { python, scenarios, server, bundle, say }: Plan,
  open: AsyncDisposableStack,
): Promise<Loadable | undefined> {
  if (python === undefined || !scenarios.includes('cold')) return undefined;
  say('  the same archive in Django');
  const { origin, pid, stop } = await startDjango(
    python,
    server ? 'mysql' : 'sqlite',
    server?.url ?? null,
    bundle,
  );
  open.defer(stop);
  return { origin, pids: [pid, ...pidsOf(server)] };
}

/** Takes a sample from a server that is not measured. @throws Error if Django does not give the same pages */
async function checkAndSample(
  [published]: readonly Published[],
  django: Loadable | undefined,
): Promise<Sample> {
  if (!published) throw new Error('checkAndSample: there is no build');
  const { origin, stop } = await startApi(published.build.api, published.database);
  try {
    if (django) {
      for (const list of ['persons', 'events'])
        await assertSamePage(origin, django.origin, `/en/api/${list}`);
    }
    return await takeSample(origin);
  } finally {
    await stop();
  }
}
