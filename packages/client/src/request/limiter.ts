import type { FilledOptions } from '../client-options.ts';
import { RequestError } from '../errors.ts';

/** Limits the requests of a client: concurrency, rate and pauses. Tasks start in the order of the calls of `run`. */
export class Limiter {
  readonly #options: FilledOptions;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #nextStart = 0;
  #pausedUntil = 0;

  constructor(options: FilledOptions) {
    this.#options = options;
  }

  /**
   * Runs a task as soon as the limits allow.
   *
   * @param url requested by the task, for errors
   * @throws RequestError if the server requests a longer wait than allowed; the task is not run
   */
  async run<T>(url: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      do {
        signal.throwIfAborted();
        await this.#pauses(url, signal);
        await this.#spacing(signal);
      } while (Date.now() < this.#pausedUntil);
      return await task();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Delays all requests; returns for how many milliseconds, which an earlier call may have made more. */
  pause(ms: number): number {
    const now = Date.now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    return this.#pausedUntil - now;
  }

  async #pauses(url: string, signal: AbortSignal): Promise<void> {
    const { maxWaitMs, onNotice } = this.#options;
    for (let now = Date.now(); now < this.#pausedUntil; now = Date.now()) {
      const wait = this.#pausedUntil - now;
      if (wait > maxWaitMs) {
        const asked = `the server asks to wait ${Math.ceil(wait / 1000)} s`;
        throw new RequestError(url, 'wait', `${asked}, longer than the ${maxWaitMs / 1000} s allowed`);
      }
      await sleep(wait, signal);
      onNotice({ type: 'waited', url, waitMs: wait });
    }
  }

  async #spacing(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + 1000 / this.#options.rate;
    if (start > now) await sleep(start - now, signal);
  }
}

/** Waits some milliseconds. @throws the signal's reason if it is aborted meanwhile */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}
