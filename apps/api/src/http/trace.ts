import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { QUERIES } from '../search/index.ts';
import type { Database } from '../storage/connect.ts';
import type { Problem } from './problems.ts';

/** Measures the time in which at least one of several things is under way, in milliseconds. */
class Stopwatch {
  #underWay = 0;
  #since = 0;
  /** Without what is still under way. */
  milliseconds = 0;

  begin(): void {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.milliseconds += performance.now() - this.#since;
  }
}

/** Facts about a request, for the log and the metrics. */
export class Trace {
  /** Path pattern of the endpoint; empty if none matched. */
  route = '';
  /** Id of the edition of the response. */
  edition: number | undefined;
  /** How the response was produced: from the cache, generated, as 304, or none of these. */
  cache: 'hit' | 'made' | 'not-modified' | 'none' = 'none';
  /** The problem that was the response, or cut it off after its status had been sent. */
  problem: Problem | undefined;
  readonly database = new Stopwatch();
  readonly search = new Stopwatch();
}

/** A request after its response. */
export interface AnsweredRequest extends Trace {
  /** That of the problem if the response was cut off. */
  status: number;
  seconds: number;
}

export type CountRequest = (request: AnsweredRequest) => void;

export const traces = new AsyncLocalStorage<Trace>();

/** Adds facts to the trace of the current request, if any. */
export function noteInTrace(facts: Partial<Trace>): void {
  const trace = traces.getStore();
  if (trace) Object.assign(trace, facts);
}

/** Adds the duration of statements to the traces of their requests. */
export function traceStatements(database: Database): void {
  database.on('query', () => traces.getStore()?.database.begin());
  database.on('query-response', () => traces.getStore()?.database.end());
  database.on('query-error', () => traces.getStore()?.database.end());
}

QUERIES.subscribe((step) => traces.getStore()?.search[step === 'begin' ? 'begin' : 'end']());

/**
 * Creates an observer that logs and counts requests when the connection of the response closes: all at `info` with
 * ACCESS_LOG, else at `debug`; slow ones always at `warn`.
 */
export function createObserver(
  log: Logger,
  { accessLog, slowMilliseconds }: Pick<Config, 'accessLog' | 'slowMilliseconds'>,
  count: CountRequest | undefined,
) {
  const level = accessLog ? 'info' : 'debug';
  const logsAll = log.isLevelEnabled(level);
  return {
    /** Whether cached responses are observed too. */
    observesAll: logsAll || count !== undefined,
    observe(request: IncomingMessage, response: ServerResponse, requestId: string): Trace {
      const started = performance.now();
      const trace = new Trace();
      response.once('close', () => {
        const taken = performance.now() - started;
        const { method, url } = request;
        const status = response.statusCode;
        count?.({ ...trace, status: trace.problem?.status ?? status, seconds: taken / 1_000 });
        const isSlow = taken > slowMilliseconds;
        if (!isSlow && !logsAll) return;
        const { route, edition, cache } = trace;
        const facts = {
          ...{ method, url, status, milliseconds: Math.round(taken), whole: response.writableFinished },
          ...{ requestId, route, edition, cache },
          databaseMilliseconds: inTenths(trace.database.milliseconds),
          searchMilliseconds: inTenths(trace.search.milliseconds),
        };
        if (isSlow) log.warn(facts, 'answered slowly');
        else log[level](facts, 'answered');
      });
      return trace;
    },
  };
}

function inTenths(milliseconds: number): number {
  return Math.round(10 * milliseconds) / 10;
}
