import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../app.ts';
import type { AnsweredRequest } from '../http/trace.ts';
import type { Database } from '../storage/connect.ts';
import { VERSION } from '../version.ts';

interface GaugeOf {
  help: string;
  /** Name of the label, if `read` returns a value for each of its values. */
  label?: string;
  read(sources: Figures): number | Iterable<readonly [label: string, value: number]>;
}

export const GAUGES: Readonly<Record<string, GaugeOf>> = {
  archive_info: {
    help: 'Version of the program; always 1.',
    label: 'version',
    read: () => [[VERSION, 1]],
  },
  archive_ready: {
    help: 'Whether it is ready, as /ready says: 1 or 0.',
    read: ({ editions }) => Number(editions.state().ready),
  },
  archive_database_up: {
    help: 'Whether the last poll of the database succeeded: 1 or 0.',
    read: ({ editions }) => Number(editions.isReached()),
  },
  archive_database_connections_used: {
    help: 'Database connections in use.',
    read: ({ database }) => poolOf(database).numUsed(),
  },
  archive_database_waiting: {
    help: 'Statements waiting for a database connection.',
    read: ({ database }) => poolOf(database).numPendingAcquires(),
  },
  archive_requests_under_way: {
    help: 'Requests being processed, except those from the cache.',
    read: ({ gates }) => gates.making.underWay,
  },
  archive_requests_waiting: {
    help: 'Requests in the queue.',
    read: ({ gates }) => gates.making.waiting + gates.searching.waiting,
  },
  archive_downloads_under_way: {
    help: 'Downloads and other large responses being sent.',
    read: ({ gates }) => gates.sending.underWay,
  },
  archive_search_waiting: {
    help: 'Queries waiting for the search thread.',
    read: ({ editions }) =>
      editions.open.all().reduce((sum, { search }) => sum + (search.opened?.waiting ?? 0), 0),
  },
  archive_search_indexes: {
    help: 'Search indexes that are open or being opened: of the served edition, of the newest held one, and of up to two others.',
    read: ({ editions }) => editions.open.indexes,
  },
  archive_search_openings_waiting: {
    help: 'Queries of other editions that wait until their search index can be opened.',
    read: ({ editions }) => editions.open.waiting,
  },
  archive_edition: {
    help: 'Id of the served edition; 0 if nothing has been published.',
    read: ({ editions }) => editions.current()?.edition.id ?? 0,
  },
  archive_edition_published_timestamp_seconds: {
    help: 'When the served edition was published, in seconds since 1970; 0 if nothing has been.',
    read: ({ editions }) => (editions.current()?.edition.publishedAt?.getTime() ?? 0) / 1_000,
  },
  archive_mirror_lag_seconds: {
    help: 'Seconds since a copy last had what its original serves; absent if it follows none.',
    read: ({ editions }) => {
      const age = editions.mirrorAge();
      return age === undefined ? [] : age / 1_000;
    },
  },
  archive_cache_bytes: {
    help: 'Size of each cache.',
    label: 'cache',
    read: ({ cacheBytes }) => cacheBytes(),
  },
};

/** Buckets of the latency histogram, in seconds: cached responses take microseconds, large ones seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of prom-client that are left out: gauges with the ending of counters, whose numbers are in others by type. */
const LEFT_OUT = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export const COUNTED = {
  archive_requests_total: {
    help: 'Responses by endpoint, status and cache: hit, made, not-modified or none.',
    labelNames: ['route', 'status', 'cache'],
  },
  archive_request_seconds: {
    help: 'Time to the end of the response, by endpoint.',
    labelNames: ['route'],
  },
  archive_problems_total: {
    help: 'Problems, also those that cut a response off, by name.',
    labelNames: ['problem'],
  },
} as const;

/** Creates the metrics. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of LEFT_OUT) registry.removeSingleMetric(name);
  const registers = [registry];
  const of = <N extends keyof typeof COUNTED>(name: N) => ({ name, ...COUNTED[name], registers });
  const requests = new Counter(of('archive_requests_total'));
  const seconds = new Histogram({ ...of('archive_request_seconds'), buckets: BUCKETS });
  const problems = new Counter(of('archive_problems_total'));
  return {
    registry,
    /** Adds the gauges, which read their sources when the metrics are read. */
    watch(sources: Figures): void {
      for (const [name, { help, label, read }] of Object.entries(GAUGES)) {
        new Gauge({
          ...{ name, help, labelNames: label === undefined ? [] : [label], registers },
          collect() {
            const values = read(sources);
            if (typeof values === 'number') this.set(values);
            else for (const [value, number] of values) this.set({ [label ?? '']: value }, number);
          },
        });
      }
    },
    count({ route, status, cache, problem, seconds: taken }: AnsweredRequest): void {
      requests.inc({ route, status, cache });
      if (problem) problems.inc({ problem: problem.problem });
      seconds.observe({ route }, taken);
    },
  };
}

function poolOf(database: Database): { numUsed(): number; numPendingAcquires(): number } {
  return database.client.pool;
}
