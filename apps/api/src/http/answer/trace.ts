import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database } from '../../storage/connect.ts';

/** How a response was produced: from the cache, generated, as 304, or none of these. */
export type CacheState = 'hit' | 'made' | 'not-modified' | 'none';

/** Facts about a request, for the log and the metrics. */
export interface Trace {
  /** Path pattern of the endpoint; empty if none matched. */
  route: string;
  /** Id of the edition of the response. */
  edition: number | undefined;
  cache: CacheState;
  databaseMilliseconds: number;
  searchMilliseconds: number;
}

/** A request after its response. */
export interface AnsweredRequest extends Trace {
  status: number;
  seconds: number;
}

/** Counts a request in the metrics. */
export type CountRequest = (request: AnsweredRequest) => void;

/** Work whose time is measured separately. */
export type TimedWork = 'database' | 'search';

const traces = new AsyncLocalStorage<Trace>();

/** An empty trace. */
function startTrace(): Trace {
  return { route: '', edition: undefined, cache: 'none', databaseMilliseconds: 0, searchMilliseconds: 0 };
}

/** Runs `work` with `trace` as its async context. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return traces.run(trace, work);
}

/** Adds facts to the trace of the current request, if any. */
export function noteInTrace(facts: Partial<Trace>): void {
  const trace = traces.getStore();
  if (trace) Object.assign(trace, facts);
}

/** Runs `work`, and adds its duration to the trace. */
export async function timed<Result>(what: TimedWork, work: () => Promise<Result>): Promise<Result> {
  const trace = traces.getStore();
  if (!trace) return await work();
  const started = performance.now();
  try {
    return await work();
  } finally {
    add(trace, what, started);
  }
}

/** Adds the duration of statements to the traces of their requests. */
export function traceStatements(database: Database): void {
  const started = new Map<string, number>();
  const end = (_: unknown, { __knexQueryUid: id }: { __knexQueryUid: string }) => {
    const since = started.get(id);
    started.delete(id);
    const trace = traces.getStore();
    if (trace && since !== undefined) add(trace, 'database', since);
  };
  database.on('query', ({ __knexQueryUid: id }: { __knexQueryUid: string }) => {
    if (traces.getStore()) started.set(id, performance.now());
  });
  database.on('query-response', end);
  database.on('query-error', end);
}

function add(trace: Trace, what: TimedWork, started: number): void {
  trace[`${what}Milliseconds`] += performance.now() - started;
}

/** Logs and counts requests. */
export interface Observer {
  /** Whether cached responses are observed too. */
  observesAll: boolean;
  /** Starts observing a request, and returns its trace. */
  observe(request: IncomingMessage, response: ServerResponse, requestId: string): Trace;
}

/**
 * Creates an observer that logs and counts requests when the connection of the response closes: all at `info` with
 * ACCESS_LOG, else at `debug`; slow ones always at `warn`.
 */
export function createObserver(
  log: Logger,
  { accessLog, slowMilliseconds }: Pick<Config, 'accessLog' | 'slowMilliseconds'>,
  count: CountRequest | undefined,
): Observer {
  const level = accessLog ? 'info' : 'debug';
  const logsAll = log.isLevelEnabled(level);
  return {
    observesAll: logsAll || count !== undefined,
    observe(request, response, requestId) {
      const started = performance.now();
      const trace = startTrace();
      response.once('close', () => {
        const taken = performance.now() - started;
        const { method, url } = request;
        const status = response.statusCode;
        count?.({ ...trace, status, seconds: taken / 1_000 });
        const isSlow = taken > slowMilliseconds;
        if (!isSlow && !logsAll) return;
        const { route, edition, cache } = trace;
        const facts = {
          ...{ method, url, status, milliseconds: Math.round(taken), whole: response.writableFinished },
          ...{ requestId, route, edition, cache },
          databaseMilliseconds: Math.round(trace.databaseMilliseconds),
          searchMilliseconds: Math.round(trace.searchMilliseconds),
        };
        if (isSlow) log.warn(facts, 'answered slowly');
        else log[level](facts, 'answered');
      });
      return trace;
    },
  };
}
