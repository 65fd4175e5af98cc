import { createRandom } from '../../apps/api/testing/random.ts';
import { createDatabase, type Engine, type TestDatabase } from '../support/create-database.ts';
import { type Load, loadOnceEach, loadOneUrl } from './load.ts';
import { measureFirstReads, measureNextPublishes } from './next-publishes.ts';
import { type MeasuredServer, measurePublish, type Program, startMeasuredApi } from './processes.ts';
import { countPages, sampleQueries, searchUrl, shuffled } from './sample-requests.ts';
import { WARM_UP_SECONDS } from './scenarios.ts';
import { showSample, summarise } from './statistics.ts';

/** Two programs that are measured in turn, and the archive. */
export interface ComparePlan {
  engine: Engine;
  /** Address of the MySQL or MariaDB server; null if there is none. */
  mysqlUrl: string | null;
  bundle: string;
  records: number;
  load: Load;
  rounds: number;
  /** The program of another checkout, and of this one. */
  programs: { before: Program; now: Program };
  /** Reports progress. */
  say(text: string): void;
}

/** One measured value of both programs, for each round. */
export interface Compared {
  scenario: string;
  unit: 'records/s' | 'requests/s' | 'seconds' | 'ms' | 'MB';
  before: number[];
  now: number[];
}

/** Units for which more is better. */
const RATES: readonly string[] = ['records/s', 'requests/s'];

/** Number of pages that are requested once in each round. */
const COLD_PAGES = { persons: 170, events: 120 };

const SIDES = ['before', 'now'] as const;
type Side = (typeof SIDES)[number];

/**
 * Publishes, starts and loads an archive with both programs. Each step is measured with one right after the other, and
 * their order alternates, so that a temporarily slow machine slows both down.
 */
export async function compareArchives(plan: ComparePlan): Promise<Compared[]> {
  const compared = new Map<string, Compared>();
  for (let round = 0; round < plan.rounds; round += 1) {
    plan.say(`  round ${round + 1} of ${plan.rounds}`);
    const order = round % 2 === 0 ? SIDES : SIDES.toReversed();
    await measureRound(plan, order, (side, scenario, unit, value) => {
      const row = compared.get(scenario) ?? { scenario, unit, before: [], now: [] };
      row[side].push(value);
      compared.set(scenario, row);
    });
  }
  return [...compared.values()];
}

type Note = (side: Side, scenario: string, unit: Compared['unit'], value: number) => void;

async function measureRound(plan: ComparePlan, order: readonly Side[], note: Note): Promise<void> {
  const { engine, mysqlUrl, bundle, records, load, programs } = plan;
  const databases = new Map<Side, TestDatabase>();
  const servers = new Map<Side, MeasuredServer>();
  try {
    for (const side of order) {
      const database = await createDatabase(engine, mysqlUrl);
      databases.set(side, database);
      const { seconds, peakMemory, written } = await measurePublish(database, bundle, programs[side]);
      note(side, 'publish', 'records/s', records / seconds);
      note(side, 'publish: largest memory', 'MB', peakMemory);
      note(side, 'publish: written', 'MB', written);
    }
    for (const side of order) {
      const database = databases.get(side);
      if (!database) continue;
      const again = await measureNextPublishes({ database, bundle, records }, programs[side]);
      for (const { scenario, unit, value } of again) note(side, scenario, unit, value);
    }
    for (const side of order) {
      const database = databases.get(side);
      if (!database) continue;
      const server = await startMeasuredApi(database, [], programs[side]);
      servers.set(side, server);
      note(side, 'start-up', 'seconds', server.startSeconds);
      for (const { scenario, value } of await measureFirstReads(server.origin)) {
        note(side, scenario, 'ms', value);
      }
    }
    await loadInTurn(order, servers, load, note);
    for (const [side, server] of servers) {
      note(side, 'server: largest memory', 'MB', server.peakMemory());
    }
  } finally {
    for (const server of servers.values()) await server.stop();
    for (const database of databases.values()) await database.drop();
  }
}

async function loadInTurn(
  order: readonly Side[],
  servers: ReadonlyMap<Side, MeasuredServer>,
  load: Load,
  note: Note,
): Promise<void> {
  const inTurn = async (
    scenario: string,
    unit: Compared['unit'],
    measure: (origin: string) => Promise<number>,
  ) => {
    for (const side of order) {
      const origin = servers.get(side)?.origin;
      if (origin !== undefined) note(side, scenario, unit, await measure(origin));
    }
  };
  const [first] = servers.values();
  if (!first) return;
  const pages = await countPages(first.origin);
  const { below } = createRandom(1);
  const { connections } = load;
  for (const [list, most] of Object.entries(COLD_PAGES) as [keyof typeof pages, number][]) {
    const paths = shuffled(pages[list], below)
      .slice(0, most)
      .map((page) => `/api/${list}?page=${page}`);
    for (const { origin } of servers.values()) {
      const urls = paths.map((path) => `${origin}/nl${path}`);
      await loadOnceEach(urls, connections, WARM_UP_SECONDS);
    }
    await inTurn(`cold: ${list}`, 'requests/s', async (origin) => {
      const urls = paths.map((path) => `${origin}/en${path}`);
      return (await loadOnceEach(urls, connections)).requestsPerSecond;
    });
  }
  for (const { name, queries, clients } of await sampleQueries(first.origin, pages.persons)) {
    await inTurn(`search: ${name}`, 'ms', async (origin) => {
      const urls = queries.map((query) => searchUrl(origin, query));
      return summarise((await loadOnceEach(urls, clients, undefined, { mayRefuse: clients > 1 })).latencies)
        .median;
    });
  }
  for (const list of Object.keys(COLD_PAGES)) {
    await inTurn(`hot: ${list} page 1`, 'requests/s', async (origin) => {
      const url = `${origin}/en/api/${list}`;
      const expected = await (await fetch(url)).text();
      return loadOneUrl(url, load, { expected });
    });
  }
  await inTurn('304', 'requests/s', async (origin) => {
    const url = `${origin}/en/api/persons`;
    const etag = (await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })).headers.get('etag');
    if (!etag) throw new Error(`${url} has no ETag`);
    return loadOneUrl(url, load, { headers: { 'If-None-Match': etag } });
  });
}

/** Whether each new value is worse than each old one, which noise rarely causes. */
export function isWorse({ unit, before, now }: Compared): boolean {
  const [was, is] = [summarise(before), summarise(now)];
  return RATES.includes(unit) ? is.most < was.least : is.least > was.most;
}

/** The comparison of one archive as a table in Markdown. */
export function compareToMarkdown(title: string, compared: readonly Compared[]): string {
  return [
    `| ${title} | unit | before | now | now to before, each round |`,
    '|---|---|---|---|---|',
    ...compared.map((row) => {
      const ratios = row.now.map((value, round) => value / (row.before[round] ?? 0));
      const mark = isWorse(row) ? ' ✗' : '';
      return `| ${row.scenario} | ${row.unit} | ${showSample(summarise(row.before))} | ${showSample(summarise(row.now))}${mark} | ${showSample(summarise(ratios))} |`;
    }),
    '',
  ].join('\n');
}
