import { RequestError } from '../errors.ts';
import { sleep } from './sleep.ts';

/** Options of a limiter. */
export interface LimiterOptions {
  /** Maximum number of parallel requests. */
  concurrency: number;
  /** Maximum number of requests per second; may be infinite. */
  rate: number;
  /** Longest wait that a server may request, in milliseconds. */
  maxWaitMs: number;
  /** Called with the time that a pause delayed a request, in milliseconds. */
  onWaited: (url: string, ms: number) => void;
}

/** Limits the requests of a client: concurrency, rate and pauses. */
export interface Limiter {
  /**
   * Runs a task as soon as the limits allow.
   *
   * @param url requested by the task, for errors
   * @throws RequestError if the server requests a longer wait than allowed; the task is not run
   */
  run<T>(url: string, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
  /**
   * Delays all requests.
   *
   * @param ms milliseconds from now
   * @returns the actual delay in milliseconds, which an earlier call may have made longer
   */
  pause(ms: number): number;
}

/** Creates a limiter. Tasks start in the order of the calls of `run`. */
export function createLimiter(options: LimiterOptions): Limiter {
  const interval = 1000 / options.rate;
  const queue: (() => void)[] = [];
  let running = 0;
  let nextStart = 0;
  let pausedUntil = 0;

  async function turn(): Promise<void> {
    if (running < options.concurrency) {
      running += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    await promise;
  }

  function release(): void {
    const give = queue.shift();
    if (give) give();
    else running -= 1;
  }

  async function pauses(url: string, signal: AbortSignal): Promise<void> {
    for (let now = Date.now(); now < pausedUntil; now = Date.now()) {
      const wait = pausedUntil - now;
      if (wait > options.maxWaitMs) throw longWaitError(url, wait, options.maxWaitMs);
      await sleep(wait, signal);
      options.onWaited(url, wait);
    }
  }

  async function spacing(signal: AbortSignal): Promise<void> {
    if (!interval) return;
    const now = Date.now();
    const start = Math.max(now, nextStart);
    nextStart = start + interval;
    if (start > now) await sleep(start - now, signal);
  }

  return {
    async run(url, signal, task) {
      await turn();
      try {
        do {
          signal.throwIfAborted();
          await pauses(url, signal);
          await spacing(signal);
        } while (Date.now() < pausedUntil);
        return await task();
      } finally {
        release();
      }
    },
    pause(ms) {
      const now = Date.now();
      pausedUntil = Math.max(pausedUntil, now + ms);
      return pausedUntil - now;
    },
  };
}

function longWaitError(url: string, waitMs: number, maxWaitMs: number): RequestError {
  const asked = `the server asks to wait ${Math.ceil(waitMs / 1000)} s`;
  return new RequestError(url, 'wait', `${asked}, longer than the ${maxWaitMs / 1000} s allowed`);
}
