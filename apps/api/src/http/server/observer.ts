import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../operate/metrics.ts';
import { startTrace, type Trace } from '../../operate/trace.ts';

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
  metrics: Metrics | undefined,
): Observer {
  const level = accessLog ? 'info' : 'debug';
  const logsAll = log.isLevelEnabled(level);
  return {
    observesAll: logsAll || metrics !== undefined,
    observe(request, response, requestId) {
      const started = performance.now();
      const trace = startTrace();
      response.once('close', () => {
        const taken = performance.now() - started;
        const { method, url } = request;
        const status = response.statusCode;
        metrics?.count({ ...trace, status, seconds: taken / 1_000 });
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
