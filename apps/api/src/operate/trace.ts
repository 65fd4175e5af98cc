import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../database/connect.ts';

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

/** What time is spent on beside the request's own. */
export type TimedWork = 'database' | 'search';

const traces = new AsyncLocalStorage<Trace>();

/** A trace of which nothing is known yet. */
export function startTrace(): Trace {
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
