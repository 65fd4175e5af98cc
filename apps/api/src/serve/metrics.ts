import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../app.ts';
import type { AnsweredRequest } from '../http/answer/trace.ts';
import type { Database } from '../storage/connect.ts';

/** Where the figures are read that stand for this moment. */
export interface MetricsSources extends Figures {
  /** Bytes that wait for clients. */
  unsentBytes(): number;
}

/** A figure of this moment. */
interface GaugeOf {
  name: string;
  help: string;
  /** How workers' figures become one: editions are the same for all, the rest adds up. */
  aggregator: 'max' | 'sum';
  read(sources: MetricsSources): number;
}

const GAUGES: readonly GaugeOf[] = [
  {
    name: 'archive_database_connections_used',
    help: 'Connections to the database in use.',
    aggregator: 'sum',
    read: ({ database }) => poolOf(database).numUsed(),
  },
  {
    name: 'archive_database_waiting',
    help: 'Statements that wait for a connection.',
    aggregator: 'sum',
    read: ({ database }) => poolOf(database).numPendingAcquires(),
  },
  {
    name: 'archive_requests_under_way',
    help: 'Answers that are being made.',
    aggregator: 'sum',
    read: ({ gates }) => gates.making.underWay,
  },
  {
    name: 'archive_requests_waiting',
    help: 'Requests that wait for their turn.',
    aggregator: 'sum',
    read: ({ gates }) => gates.making.waiting,
  },
  {
    name: 'archive_downloads_under_way',
    help: 'Downloads and other large answers that are being sent.',
    aggregator: 'sum',
    read: ({ gates }) => gates.sending.underWay,
  },
  {
    name: 'archive_unsent_bytes',
    help: 'Bytes of answers that clients have not taken, and of their requests that have not been read.',
    aggregator: 'sum',
    read: ({ unsentBytes }) => unsentBytes(),
  },
  {
    name: 'archive_search_waiting',
    help: 'Queries that wait for the search thread.',
    aggregator: 'sum',
    read: ({ editions }) => editions.all().reduce((sum, { search }) => sum + search.waiting, 0),
  },
  {
    name: 'archive_edition',
    help: 'Id of the served edition; 0 while nothing is published.',
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

/** Upper bounds of the latency histogram, in seconds: hot answers take microseconds, large ones seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of one process. */
export interface Metrics {
  registry: Registry;
  count(request: AnsweredRequest): void;
}

/** Figures in the form of Prometheus; see docs/operations.md for what each means. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'archive_requests_total',
    help: 'Requests answered, by endpoint, status and how the answer came about.',
    labelNames: ['route', 'status', 'cache'],
    registers,
  });
  const seconds = new Histogram({
    name: 'archive_request_seconds',
    help: 'Time until the whole answer was sent, by endpoint.',
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
    help: 'Memory that each cache takes.',
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
