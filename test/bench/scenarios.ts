import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Aim, atLeast, atMost } from './aim.ts';
import { type Form, type Load, loadOnceEach, loadOneUrl } from './load.ts';
import { startBareServer } from './processes.ts';
import { type SampleQueries, searchUrl } from './sample-requests.ts';
import { type Sample, summarise } from './statistics.ts';

/** One measured line of the report. */
export interface Measurement {
  scenario: string;
  unit:
    | 'requests/s'
    | 'ms'
    | 'ms of processor'
    | 'seconds'
    | 'MB'
    | 'records/s'
    | 'of the limit'
    | 'of the requests'
    | 'times'
    | 'times Django';
  value: Sample;
  aim?: Aim;
}

/** The server under test, and the load. */
export interface Bench {
  origin: string;
  folder: string;
  load: Load;
  /** How often each scenario is measured. */
  rounds: number;
}

/** How long a server is warmed up before it is measured, so that its code is compiled. */
export const WARM_UP_SECONDS = 3;

/** Headers that belong to a connection. */
const PER_CONNECTION = /^(connection|date|keep-alive|transfer-encoding|x-request-id)$/i;

/** A repeatedly requested page, compared with a bare server that sends the same bytes and headers. */
export async function measureHotPage(bench: Bench, name: string, path: string): Promise<Measurement[]> {
  const url = bench.origin + path;
  const { body, headers } = await fetchPlain(url);
  return measureAgainstBare(bench, `hot: ${name}`, url, body, headers, { expected: body });
}

/** A page that the client has cached, compared with a bare server that sends 304. */
export async function measureNotModified(bench: Bench, path: string): Promise<Measurement[]> {
  const url = bench.origin + path;
  const { body, headers } = await fetchPlain(url);
  const etag = headers['etag'];
  if (!etag) throw new Error(`${url} has no ETag`);
  return measureAgainstBare(bench, '304', url, body, headers, { headers: { 'If-None-Match': etag } });
}

async function fetchPlain(url: string) {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (!PER_CONNECTION.test(name)) headers[name === 'content-length' ? 'Content-Length' : name] = value;
  });
  return { body: await response.text(), headers };
}

/** Loads our server and a bare one in turn, with the same requests for the same bytes. */
async function measureAgainstBare(
  { folder, load, rounds }: Bench,
  scenario: string,
  url: string,
  body: string,
  headers: Record<string, string>,
  request: { headers?: Record<string, string>; expected?: string },
): Promise<Measurement[]> {
  const file = join(folder, 'bare-body.json');
  await writeFile(file, body);
  const bare = await startBareServer(file, headers);
  const ours: number[] = [];
  const ratios: number[] = [];
  try {
    for (const each of [url, bare.origin]) {
      await loadOneUrl(each, { ...load, seconds: WARM_UP_SECONDS }, request);
    }
    for (let round = 0; round < rounds; round += 1) {
      const mine = await loadOneUrl(url, load, request);
      ours.push(mine);
      ratios.push(mine / (await loadOneUrl(bare.origin, load, request)));
    }
  } finally {
    await bare.stop();
  }
  return [
    { scenario, unit: 'requests/s', value: summarise(ours) },
    { scenario, unit: 'of the limit', value: summarise(ratios), aim: atLeast(0.75) },
  ];
}

/** A server from which uncached pages are requested. */
export interface Asked {
  /** Suffix of the name of the scenario; empty for our server with default settings. */
  name: string;
  origin: string;
  /** CPU time of all its processes so far, in milliseconds. */
  processorTime(): number;
}

/**
 * Uncached pages: every round requests different ones. The same ones in Dutch are requested first, so that the code is
 * compiled before the measurement. The servers are measured in turn.
 *
 * @param ours servers of this program
 * @param django the same archive in Django, which gets a part of the requests; undefined if there is none
 */
export async function measureColdPages(
  { load, rounds }: Bench,
  name: string,
  paths: readonly string[],
  { ours, django }: { ours: readonly Asked[]; django: Asked | undefined },
  form: Form = 'JSON',
): Promise<Measurement[]> {
  const each = Math.floor(paths.length / rounds);
  const all = django ? [...ours, django] : ours;
  for (const { origin } of all) {
    const urls = paths.map((path) => origin + path.replace('/en/', '/nl/'));
    await loadOnceEach(urls, load.connections, WARM_UP_SECONDS, { form });
  }
  const walks = new Map(all.map((server) => [server, { rates: [] as number[], times: [] as number[] }]));
  for (let round = 0; round < rounds; round += 1) {
    const taken = paths.slice(round * each, (round + 1) * each);
    for (const [server, { rates, times }] of walks) {
      const urls = taken.map((path) => server.origin + path);
      const before = server.processorTime();
      const seconds = server === django ? load.seconds : undefined;
      const walked = await loadOnceEach(urls, load.connections, seconds, { form });
      rates.push(walked.requestsPerSecond);
      times.push((server.processorTime() - before) / walked.latencies.length);
    }
  }
  const theirs = django && walks.get(django);
  return [...walks].flatMap(([server, { rates, times }]): Measurement[] => {
    const scenario = `cold: ${[name, server.name].filter(Boolean).join(', ')}`;
    const measured: Measurement[] = [{ scenario, unit: 'requests/s', value: summarise(rates) }];
    if (!theirs) return measured;
    measured.push({ scenario, unit: 'ms of processor', value: summarise(times) });
    if (server === django) return measured;
    const ratios = rates.map((mine, round) => mine / (theirs.rates[round] ?? 0));
    const savings = times.map((mine, round) => (theirs.times[round] ?? 0) / mine);
    return [
      ...measured,
      { scenario, unit: 'times Django', value: summarise(ratios), aim: atLeast(10) },
      { scenario: `${scenario}, processor time`, unit: 'times Django', value: summarise(savings) },
    ];
  });
}

/** The time of the last pages of a list against its first ones, all uncached, one by one. */
export async function measureLastPage(bench: Bench, list: string, pages: number): Promise<Measurement[]> {
  const sample = Math.min(60, Math.floor(pages / 4));
  const times = async (first: number) => {
    const urls = Array.from({ length: sample }, (_, index) => `${bench.origin}${list}?page=${first + index}`);
    return summarise((await loadOnceEach(urls, 1)).latencies).median;
  };
  const ratios: number[] = [];
  const lasts: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const first = await times(2 + round * sample);
    const last = await times(pages - (round + 1) * sample + 1);
    lasts.push(last);
    ratios.push(last / first);
  }
  return [
    { scenario: 'last pages of persons, one by one', unit: 'ms', value: summarise(lasts) },
    { scenario: 'last pages against first', unit: 'times', value: summarise(ratios), aim: atMost(1.2) },
  ];
}

/** Uncached queries: count and first page. */
export async function measureQueries(
  { origin }: Bench,
  { name, queries, clients, aims }: SampleQueries,
): Promise<Measurement[]> {
  const urls = queries.map((query) => searchUrl(origin, query));
  const { latencies, refused } = await loadOnceEach(urls, clients, undefined, { mayRefuse: clients > 1 });
  const value = summarise(latencies);
  const measured: Measurement[] = [
    { scenario: `search: ${name}`, unit: 'ms', value, aim: atMost(aims.median) },
  ];
  if (aims.slowest === undefined) return measured;
  const slowest = summarise([value.most]);
  return [
    ...measured,
    { scenario: `search: ${name}, slowest`, unit: 'ms', value: slowest, aim: atMost(aims.slowest) },
    {
      scenario: `search: ${name}, refused`,
      unit: 'of the requests',
      value: summarise([refused / latencies.length]),
      aim: atMost(0),
    },
  ];
}
