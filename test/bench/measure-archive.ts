import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRandom } from '../../apps/api/testing/random.ts';
import type { TestDatabase } from '../support/create-database.ts';
import { atLeast, atMost } from './aim.ts';
import { assertSameContent, assertSamePage, type Django, startDjango } from './django.ts';
import { type Load, loadOneUrl } from './load.ts';
import {
  MOST_MEGABYTES,
  measureFirstReads,
  measureNextPublishes,
  storedMegabytes,
} from './next-publishes.ts';
import { type MeasuredServer, measurePublish, startMeasuredApi } from './processes.ts';
import type { MeasuredArchive } from './report.ts';
import { countPages, sampleQueries, shuffled, uuidsOfPersons } from './sample-requests.ts';
import {
  type Asked,
  type Bench,
  type Measurement,
  measureColdPages,
  measureHotPage,
  measureLastPage,
  measureNotModified,
  measureQueries,
} from './scenarios.ts';
import { summarise } from './statistics.ts';

/** The archive to measure on one engine, and with which load. */
export interface Plan {
  database: TestDatabase;
  bundle: string;
  records: number;
  load: Load;
  rounds: number;
  /** A Python with Django REST Framework; undefined if there is none. */
  python: string | undefined;
  /** Address of the MySQL or MariaDB server; null if there is none. */
  mysqlUrl: string | null;
  /** Reports progress. */
  say(text: string): void;
}

/** Numbers of connections in the plot of throughput. */
const CONNECTIONS = [1, 2, 4, 8, 16, 32, 64];

/** Publishes, starts and loads an archive. */
export async function measureArchive(plan: Plan): Promise<MeasuredArchive> {
  const { database, bundle, records, load, rounds, say } = plan;
  say('  publish');
  const published = await measurePublish(database, bundle);
  const size = await storedMegabytes(database);
  say('  publish again');
  const again = await measureNextPublishes({ database, bundle, records });
  const server = await startMeasuredApi(database);
  const bench: Bench = { origin: server.origin, folder: database.folder, load, rounds };
  const measurements: Measurement[] = [
    {
      scenario: 'publish',
      unit: 'records/s',
      value: summarise([records / published.seconds]),
      aim: atLeast(database.engine === 'sqlite' ? 5000 : 2500),
    },
    {
      scenario: 'publish: largest memory',
      unit: 'MB',
      value: summarise([published.peakMemory]),
      aim: atMost(MOST_MEGABYTES),
    },
    { scenario: 'stored: database', unit: 'MB', value: summarise([size.database]) },
    { scenario: 'stored: search index', unit: 'MB', value: summarise([size.search]) },
    ...again.map(({ scenario, unit, value, ofPublish, most }) => {
      const aim = ofPublish === undefined ? most : round(ofPublish * published.seconds);
      return { scenario, unit, value: summarise([value]), ...(aim !== undefined && { aim: atMost(aim) }) };
    }),
    { scenario: 'start-up', unit: 'seconds', value: summarise([server.startSeconds]) },
  ];
  try {
    for (const { scenario, value } of await measureFirstReads(server.origin)) {
      measurements.push({ scenario, unit: 'ms', value: summarise([value]), aim: atMost(50) });
    }
    say('  cold pages');
    const pages = await countPages(server.origin);
    const random = createRandom(1);
    const some = (list: keyof typeof pages, most: number) =>
      shuffled(pages[list], random.below)
        .slice(0, most)
        .map((page) => `/en/api/${list}?page=${page}`);
    measurements.push(...(await measureLastPage(bench, '/en/api/persons', pages.persons)));
    const persons = some('persons', 3000);
    const events = some('events', 900);
    const django = await beside(plan, server.origin);
    const one: Asked = { name: '', ...server };
    const named = (name: string): Asked | undefined => django && { name, ...django };
    const lists = { ours: [one], django: named('Django REST Framework') };
    const uuids = await uuidsOfPersons(server.origin);
    const personPages = shuffled(uuids.length, random.below)
      .slice(0, 3000)
      .map((place) => `/en/personen/${uuids[place - 1]}/`);
    if (django) await assertSameContent(server.origin, django.origin, personPages.slice(0, 20));
    // The system still flushes the published and loaded data to disk, which would slow the measurement down.
    await promisify(execFile)('sync');
    let two: MeasuredServer | undefined;
    try {
      // As many processes as Django has workers.
      two = await startMeasuredApi(database, ['--workers', '2']);
      measurements.push(
        ...(await measureColdPages(bench, 'persons', persons, lists)),
        ...(await measureColdPages(bench, 'events', events, lists)),
        ...(await measureColdPages(
          bench,
          'pages of persons for people',
          personPages,
          { ours: [one, { ...two, name: 'two processes' }], django: named('Django template') },
          'HTML',
        )),
      );
    } finally {
      await two?.stop();
      await django?.stop();
    }
    say('  search');
    for (const sample of await sampleQueries(server.origin, pages.persons)) {
      measurements.push(...(await measureQueries(bench, sample)));
    }
    say('  hot pages');
    measurements.push(
      ...(await measureHotPage(bench, 'persons page 1', '/en/api/persons')),
      ...(await measureHotPage(bench, 'events page 1', '/en/api/events')),
      ...(await measureNotModified(bench, '/en/api/persons')),
    );
    const throughput = await measureThroughput(bench);
    measurements.push({
      scenario: 'server: largest memory',
      unit: 'MB',
      value: summarise([server.peakMemory()]),
    });
    return { engine: database.engine, records, measurements, throughput };
  } finally {
    await server.stop();
  }
}

/** The same archive in Django REST Framework, on the same engine; undefined if that is not installed. */
async function beside(
  { python, database, mysqlUrl, bundle, say }: Plan,
  origin: string,
): Promise<Django | undefined> {
  if (python === undefined) return undefined;
  say('  the same in Django REST Framework');
  const django = await startDjango(python, database.engine, mysqlUrl, bundle);
  try {
    for (const list of ['persons', 'events']) await assertSamePage(origin, django.origin, `/en/api/${list}`);
    return django;
  } catch (error) {
    await django.stop();
    throw error;
  }
}

async function measureThroughput({ origin, load: { seconds }, rounds }: Bench) {
  const measured = CONNECTIONS.map((connections) => ({ connections, rates: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { connections, rates } of measured) {
      rates.push(await loadOneUrl(`${origin}/en/api/persons`, { connections, seconds }));
    }
  }
  return measured.map(({ connections, rates }) => ({
    connections,
    requestsPerSecond: summarise(rates).median,
  }));
}

/** In whole tenths, for a table. */
function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
