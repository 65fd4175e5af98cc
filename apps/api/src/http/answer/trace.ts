import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database } from '../../storage/connect.ts';

/** How an answer came about: from memory, made anew, or not at all as the client holds it. */
export type CacheState = 'hit' | 'made' | 'not-modified' | 'none';

/** What is learnt about a request while it is answered: for the log and the metrics. */
export interface Trace {
  /** Path of the endpoint, with `{name}` for a segment; empty where no endpoint is concerned. */
  route: string;
  /** Id of the edition that the answer is from. */
  edition: number | undefined;
  cache: CacheState;
  databaseMilliseconds: number;
  searchMilliseconds: number;
}

/** What a request came to. */
export interface AnsweredRequest extends Trace {
  status: number;
  seconds: number;
}

/** Counts an answered request. */
export type CountRequest = (request: AnsweredRequest) => void;

/** What time is spent on beside the request's own. */
export type TimedWork = 'database' | 'search';

const traces = new AsyncLocalStorage<Trace>();

/** A trace of which nothing is known yet. */
function startTrace(): Trace {
  return { route: '', edition: undefined, cache: 'none', databaseMilliseconds: 0, searchMilliseconds: 0 };
}

/** Runs `work` so that what it does is noted in `trace`. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return traces.run(trace, work);
}

/** Notes what is known now of the request that is being answered; outside of requests, nothing. */
export function noteInTrace(facts: Partial<Trace>): void {
  const trace = traces.getStore();
  if (trace) Object.assign(trace, facts);
}

/** Does `work`, and notes in the trace of the request how long that took. */
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

/** Notes in the traces of requests how long the statements take that they send to `database`. */
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

/** Notes what becomes of requests. */
export interface Observer {
  /** Whether every request is to be observed; those answered from memory are not, where nobody looks at them. */
  observesAll: boolean;
  /** Observes a request from now on; what is learnt of it goes into the trace that is given. */
  observe(request: IncomingMessage, response: ServerResponse, requestId: string): Trace;
}

/**
 * Logs requests when their answer has been sent, or their connection has broken: each where that is switched on, at
 * `info` (or at `debug` where the log tells so much anyway), and slow ones always, at `warn`. Counts them, too.
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
