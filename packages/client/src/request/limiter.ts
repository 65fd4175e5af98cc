import { LongWaitError } from '../errors/request-errors.ts';
import { sleep } from './sleep.ts';

/** What a limiter holds back. */
export interface LimiterOptions {
  /** Requests under way at once. */
  concurrency: number;
  /** Requests begun per second; may be infinite. */
  rate: number;
  /** The longest wait that a server may ask for, in milliseconds. */
  maxWaitMs: number;
  /** Is told how long a request has been held back by a pause, in milliseconds. */
  onWaited: (url: string, ms: number) => void;
}

/** Decides when a request may begin. All requests of a client pass through one. */
export interface Limiter {
  /**
   * Runs a task when its turn comes.
   *
   * @param url what the task asks for, named in errors
   * @throws LongWaitError when the server asked to wait longer than allowed; the task has not begun then
   */
  run<T>(url: string, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
  /**
   * Holds all requests back.
   *
   * @param ms milliseconds from now
   * @returns the milliseconds from now for which requests are held back, which an earlier call can have made longer
   */
  pause(ms: number): number;
}

/** Makes a limiter. Turns come in the order in which `run` was called. */
export function createLimiter(options: LimiterOptions): Limiter {
  const interval = 1000 / options.rate;
  const queue: (() => void)[] = [];
  let running = 0;
  let nextStart = 0;
  let pausedUntil = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    if (running < options.concurrency) {
      running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const give = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      queue.splice(queue.indexOf(give), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.push(give);
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
      if (wait > options.maxWaitMs) throw new LongWaitError(url, wait, options.maxWaitMs);
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
      signal.throwIfAborted();
      await turn(signal);
      try {
        do {
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
