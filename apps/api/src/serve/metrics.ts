import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../app.ts';
import type { AnsweredRequest } from '../http/answer/trace.ts';
import type { Database } from '../storage/connect.ts';

/** The sources of the gauges. */
export interface MetricsSources extends Figures {
  /** Unsent bytes of all clients. */
  unsentBytes(): number;
}

/** A gauge. */
interface GaugeOf {
  name: string;
  help: string;
  /** How the values of workers are combined: the maximum for editions, else the sum. */
  aggregator: 'max' | 'sum';
  read(sources: MetricsSources): number;
}

const GAUGES: readonly GaugeOf[] = [
  {
    name: 'archive_database_connections_used',
    help: 'Database connections in use.',
    aggregator: 'sum',
    read: ({ database }) => poolOf(database).numUsed(),
  },
  {
    name: 'archive_database_waiting',
    help: 'Statements waiting for a database connection.',
    aggregator: 'sum',
    read: ({ database }) => poolOf(database).numPendingAcquires(),
  },
  {
    name: 'archive_requests_under_way',
    help: 'Requests being processed, except those answered from the cache.',
    aggregator: 'sum',
    read: ({ gates }) => gates.making.underWay,
  },
  {
    name: 'archive_requests_waiting',
    help: 'Requests in the queue.',
    aggregator: 'sum',
    read: ({ gates }) => gates.making.waiting,
  },
  {
    name: 'archive_downloads_under_way',
    help: 'Downloads and other large responses being sent.',
    aggregator: 'sum',
    read: ({ gates }) => gates.sending.underWay,
  },
  {
    name: 'archive_unsent_bytes',
    help: 'Unsent bytes of responses, and unread bytes of requests.',
    aggregator: 'sum',
    read: ({ unsentBytes }) => unsentBytes(),
  },
  {
    name: 'archive_search_waiting',
    help: 'Queries waiting for the search thread.',
    aggregator: 'sum',
    read: ({ editions }) => editions.all().reduce((sum, { search }) => sum + search.waiting, 0),
  },
  {
    name: 'archive_edition',
    help: 'Id of the served edition; 0 if nothing has been published.',
    aggregator: 'max',
    read: ({ editions }) => editions.current()?.edition.id ?? 0,
  },
  {
    name: 'archive_edition_age_seconds',
    help: 'Time since the served edition was published.',
    aggregator: 'max',
    read: ({ editions }) => {
      const published = editions.current()?.edition.publishedAt;
      return published ? (Date.now() - published.getTime()) / 1_000 : 0;
    },
  },
];

/** Buckets of the latency histogram, in seconds: cached responses take microseconds, large ones seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of a process. */
export interface Metrics {
  registry: Registry;
  count(request: AnsweredRequest): void;
}

/** Creates the metrics, which docs/operations.md describes. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'archive_requests_total',
    help: 'Responses by endpoint, status and cache state.',
    labelNames: ['route', 'status', 'cache'],
    registers,
  });
  const seconds = new Histogram({
    name: 'archive_request_seconds',
    help: 'Time until the end of the response, by endpoint.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  for (const { name, help, aggregator, read } of GAUGES) {
    new Gauge({
      ...{ name, help, aggregator, registers },
      collect() {
        this.set(read(sources));
      },
    });
  }
  new Gauge({
    name: 'archive_cache_bytes',
    help: 'Size of each cache.',
    labelNames: ['cache'],
    aggregator: 'sum',
    registers,
    collect() {
      for (const [cache, bytes] of sources.cacheBytes()) this.set({ cache }, bytes);
    },
  });
  return {
    registry,
    count({ route, status, cache, seconds: taken }) {
      requests.inc({ route, status, cache });
      seconds.observe({ route }, taken);
    },
  };
}

function poolOf(database: Database): { numUsed(): number; numPendingAcquires(): number } {
  return database.client.pool;
}
