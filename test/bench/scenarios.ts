import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../apps/api/testing/random.ts';
import { type Load, type Loaded, loadOnceEach, loadOneUrl } from './load.ts';
import { runMeasured, startBareServer } from './processes.ts';
import { countProcessorTime } from './processor-time.ts';
import type { BuildName } from './report.ts';
import type { Scenario, Unit } from './rows.ts';
import { type Sample, shuffled } from './sample.ts';
import { summarise } from './statistics.ts';

/** A running server whose load is measured. */
export interface Loadable {
  origin: string;
  /** Its processes, and that of its database. */
  pids: readonly number[];
}

/** A server of a build that was just started, so that nothing is cached. */
export interface Subject extends Loadable {
  build: BuildName;
  /** archive-cli.js of the build. */
  cli: string;
}

/** A round of measurements of an archive. */
export interface Round {
  /** What is measured in turn: one build, or two. */
  subjects: readonly Subject[];
  /** Whether what is measured is compared with a bare server and a plain walk: not if there are two builds. */
  hasReferences: boolean;
  /** The same archive in Django; undefined without it. */
  django: Loadable | undefined;
  sample: Sample;
  load: Load;
  random: Random;
  add(build: BuildName, what: string, unit: Unit, value: number): void;
}

/** Load before a measurement, in which V8 compiles: pages that are not cached, and seconds of one that is. */
const WARM_UP = { pages: 2000, seconds: 1 };

/** The scenarios of a running server. */
export const SERVER_SCENARIOS: Readonly<
  Record<Exclude<Scenario, 'publish' | 'light' | 'follow'>, (round: Round) => Promise<void>>
> = { cold: measureCold, search: measureSearch, hot: measureHot, harvest: measureHarvest };

/** Runs a load, with the CPU time that the server takes for a request in milliseconds. */
async function measureLoad<Result extends Loaded>(
  { pids }: Loadable,
  load: () => Promise<Result>,
): Promise<Result & { cpu: number }> {
  const count = countProcessorTime(pids);
  const result = await load();
  return { ...result, cpu: count() / result.requests };
}

/** The most pages that are requested in a round. */
const MOST_PAGES = { persons: 1000, events: 300 };
/** Pages at each end of a list. */
const MOST_END_PAGES = 40;

/** Lists of servers without a cache of responses, in English after enough of them in Dutch, and pages for people. */
async function measureCold(round: Round): Promise<void> {
  const { subjects, django, sample, load, random, add } = round;
  const { persons, events } = sample.pages;
  const end = Math.min(MOST_END_PAGES, Math.floor(persons / 4));
  const pathsOf = (list: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `/api/${list}?page=${from + index}`);

  const others = shuffled([...pathsOf('persons', 1, persons), ...pathsOf('events', 1, events)], random);
  const people = sample.uuids.map((uuid) => `/personen/${uuid}/`);
  const warmUp = async ({ origin }: Loadable, paths: readonly string[], seconds?: number) => {
    const urls = Array.from(
      { length: WARM_UP.pages },
      (_, index) => `${origin}/nl${paths[index % paths.length]}`,
    );
    await loadOnceEach(urls, load.connections, seconds ? { seconds } : {});
  };
  if (django) await warmUp(django, others, load.seconds);
  for (const subject of subjects) await warmUp(subject, others);
  for (const { build, origin } of subjects) {
    const timeOf = async (first: number) => {
      const urls = pathsOf('persons', first, first + end - 1).map((path) => `${origin}/nl${path}`);
      return summarise((await loadOnceEach(urls, 1)).latencies).median;
    };
    const first = await timeOf(2);
    add(build, 'last page against first', 'times', (await timeOf(persons - end + 1)) / first);
  }
  for (const list of ['persons', 'events'] as const) {
    const pages = shuffled(pathsOf(list, 1, sample.pages[list]), random).slice(0, MOST_PAGES[list]);
    await measurePages(
      round,
      list,
      pages.map((path) => `/en${path}`),
    );
  }
  for (const subject of subjects) await warmUp(subject, people);
  await measurePages(
    { ...round, django: undefined },
    'pages of persons for people',
    people.map((path) => `/en${path}`),
  );
}

/** Requests each page once, of each server in turn; of Django as many as it answers in the seconds of a load. */
async function measurePages(
  { subjects, django, load: { connections, seconds }, add }: Round,
  what: string,
  paths: readonly string[],
): Promise<void> {
  const walk = (server: Loadable, limit?: number) => {
    const urls = paths.map((path) => server.origin + path);
    return measureLoad(server, () => loadOnceEach(urls, connections, limit ? { seconds: limit } : {}));
  };
  const theirs = django && (await walk(django, seconds));
  if (theirs) add('now', `cold: ${what}, Django`, 'ms of CPU', theirs.cpu);
  for (const subject of subjects) {
    const { requestsPerSecond, cpu } = await walk(subject);
    add(subject.build, `cold: ${what}`, 'requests/s', requestsPerSecond);
    add(subject.build, `cold: ${what}`, 'ms of CPU', cpu);
    if (theirs) add(subject.build, `cold: ${what}, CPU`, 'times Django', theirs.cpu / cpu);
  }
}

/**
 * Lists of ten abbreviated events at one place, of servers without a cache of responses, in turn.
 *
 * @param small a server whose place has few events
 * @param busy one whose place has many
 */
export async function measureLight(
  { load, add }: Pick<Round, 'load' | 'add'>,
  small: Subject,
  busy: Subject,
): Promise<void> {
  const warmUp = async ({ origin }: Subject) => {
    const url = `${origin}/en/api/events?events=abbreviated`;
    const bytes = Buffer.byteLength((await fetchPage(url)).body);
    await loadOneUrl(url, bytes, { ...load, seconds: WARM_UP.seconds });
    return { url, bytes };
  };
  const pages = [await warmUp(small), await warmUp(busy)] as const;
  const cpuOf = async (server: Subject, { url, bytes }: (typeof pages)[number]) =>
    (await measureLoad(server, () => loadOneUrl(url, bytes, load))).cpu;
  const [few, many] = [await cpuOf(small, pages[0]), await cpuOf(busy, pages[1])];
  add(small.build, 'light list at a small place', 'ms of CPU', few);
  add(busy.build, 'light list at a busy place', 'ms of CPU', many);
  add(busy.build, 'light list at a busy place', 'times the small place', many / few);
}

/** Queries that are not cached, of one client and of four at once: a third of them each, after the first third. */
async function measureSearch({ subjects, sample, add }: Round): Promise<void> {
  const refused = new Map<BuildName, number[]>(subjects.map(({ build }) => [build, []]));
  for (const [shape, paths] of sample.queries) {
    for (const subject of subjects) {
      const third = (place: number) =>
        paths.filter((_, index) => index % 3 === place).map((path) => subject.origin + path);
      await loadOnceEach(third(0), 1);
      const alone = await measureLoad(subject, () => loadOnceEach(third(1), 1));
      add(subject.build, `search: ${shape}`, 'ms', summarise(alone.latencies).median);
      add(subject.build, `search: ${shape}`, 'ms of CPU', alone.cpu);
      const together = await loadOnceEach(third(2), 4, { mayRefuse: true });
      add(subject.build, `search: ${shape}, 4 clients`, 'ms', summarise(together.latencies).median);
      refused.get(subject.build)?.push(together.refused / together.requests);
    }
  }
  for (const [build, shares] of refused) {
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    add(build, 'search: refused, 4 clients', 'of the requests', mean);
  }
}

/** A cached page, again and again, and one that the client has too, for which it gets 304. */
async function measureHot(round: Round): Promise<void> {
  await measureAgain(round, 'hot: persons', '/en/api/persons');
  await measureAgain(round, 'hot: events', '/en/api/events');
  await measureAgain(round, '304', '/en/api/persons', true);
}

/** Headers that belong to a connection, not to a page. */
const PER_CONNECTION = /^(connection|date|keep-alive|transfer-encoding|x-request-id)$/i;

async function measureAgain(
  { subjects, hasReferences, load, add }: Round,
  what: string,
  path: string,
  isKept = false,
): Promise<void> {
  const measure = async (server: Loadable, url: string, { etag, body }: Page) => {
    const request = isKept ? ([0, { 'If-None-Match': etag }] as const) : ([Buffer.byteLength(body)] as const);
    const [length, headers] = request;
    await loadOneUrl(url, length, { ...load, seconds: WARM_UP.seconds }, headers);
    return await measureLoad(server, () => loadOneUrl(url, length, load, headers));
  };
  for (const subject of subjects) {
    const page = await fetchPage(subject.origin + path);
    const { requestsPerSecond, cpu } = await measure(subject, subject.origin + path, page);
    add(subject.build, what, 'requests/s', requestsPerSecond);
    add(subject.build, what, 'ms of CPU', cpu);
    if (!hasReferences) continue;
    await using bare = await startBare(page);
    const limit = await measure({ ...bare, pids: [bare.pid] }, bare.origin, page);
    add(subject.build, what, 'of the limit', limit.cpu / cpu);
  }
}

interface Page {
  body: string;
  etag: string;
  headers: Record<string, string>;
}

async function fetchPage(url: string): Promise<Page> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  const etag = response.headers.get('etag');
  if (!etag) throw new Error(`${url} has no ETag`);
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (!PER_CONNECTION.test(name)) headers[name === 'content-length' ? 'Content-Length' : name] = value;
  });
  return { body: await response.text(), etag, headers };
}

/** Starts a bare server of a page. */
async function startBare({ body, headers }: Page) {
  const folder = await mkdtemp(join(tmpdir(), 'archive-bench-'));
  const file = join(folder, 'body');
  await writeFile(file, body);
  const server = await startBareServer(file, headers);
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

const PLAIN_WALK = fileURLToPath(new URL('./plain-walk.ts', import.meta.url));

/** Harvests of all persons as JSON Lines, and a plain walk over the same pages. */
async function measureHarvest({ subjects, hasReferences, add }: Round): Promise<void> {
  for (const { build, origin, cli, pids } of subjects) {
    const harvest = async (...more: string[]) => {
      const out = await mkdtemp(join(tmpdir(), 'archive-bench-'));
      try {
        const args = [
          'harvest',
          'persons',
          '--base-url',
          origin,
          '--out',
          out,
          '--format',
          'jsonl',
          '--quiet',
        ];
        return await runMeasured([cli, ...args, ...more]);
      } finally {
        await rm(out, { recursive: true });
      }
    };
    const measure = async (what: string, walk: number | undefined, ...more: string[]) => {
      const { seconds, cpuSeconds, memory } = await harvest(...more);
      add(build, what, 's', seconds);
      add(build, what, 's of CPU', cpuSeconds);
      if (walk !== undefined) add(build, what, 'times the walk', seconds / walk);
      return memory;
    };
    // The first one of an edition: the server hashes the dumps, and caches the hashes.
    await harvest('--from', 'dumps');
    const walk = hasReferences
      ? (await runMeasured([PLAIN_WALK, `${origin}/en/api/persons`])).seconds
      : undefined;
    if (walk !== undefined) add(build, 'plain walk of persons', 's', walk);
    const memory = await measure('harvest of persons', walk);
    add(build, 'harvest of persons: memory', 'MB', memory);
    await measure('harvest of persons from dumps', walk, '--from', 'dumps');
    for (const [what, copy] of Object.entries(COPIES)) {
      const count = countProcessorTime(pids);
      const start = performance.now();
      const records = await copy(origin);
      if (records === 0) continue;
      add(build, what, 'records/s', (records / (performance.now() - start)) * 1_000);
      add(build, what, 'records/s of CPU', (records / count()) * 1_000);
    }
  }
}

/** Copies of all records for other systems: each returns their number, 0 if a build has none. */
const COPIES: Readonly<Record<string, (origin: string) => Promise<number>>> = {
  async 'OAI-PMH'(origin) {
    let records = 0;
    for (let next: string | undefined = 'metadataPrefix=oai_dc'; next !== undefined; ) {
      const response: Response = await fetch(`${origin}/oai?verb=ListRecords&${next}`);
      const text = await response.text();
      records += text.split('<record>').length - 1;
      const [, token] = /<resumptionToken[^>]*>([^<]+)</.exec(text) ?? [];
      next = token && `resumptionToken=${token}`;
    }
    return records;
  },
  async 'archive.nt.gz'(origin) {
    const { total } = (await (await fetch(`${origin}/en/api`)).json()) as { total: number };
    const response = await fetch(`${origin}/en/api/dump/archive.nt.gz`);
    await response.bytes();
    return response.ok ? total : 0;
  },
};
