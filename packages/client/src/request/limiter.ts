import type { FilledOptions } from '../client-options.ts';
import { WaitError } from '../errors.ts';

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
      if (wait > maxWaitMs) throw new WaitError(url, wait, maxWaitMs);
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

/** Larger numbers are Unix times instead of delays: this is in 2001 in seconds, and those of the second in 1973 in milliseconds. */
const SMALLEST_UNIX_TIME = 1e9;
const SMALLEST_UNIX_MILLISECONDS = 1e11;

const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/** An HTTP date (RFC 9110, section 5.6.7), or one of ISO 8601. */
const DATE = /^(?:[A-Z][a-z]+, .*GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} .*|\d{4}-\d\d-\d\dT.*)$/;

/**
 * The wait that a response requests before the next request, in milliseconds; undefined if it requests none.
 * It is read from `Retry-After` (seconds or an HTTP date: RFC 9110, section 10.2.3) on responses other than 2xx, and, on all
 * responses, from headers that leave no request in the current window: `RateLimit` (draft-ietf-httpapi-ratelimit-headers,
 * `r=0;t=30` or `remaining=0, reset=30`), `RateLimit-Remaining` with `RateLimit-Reset`, and the same with `X-`, or that of 429. Times are
 * compared with the server's own `Date`, whose clock may differ.
 *
 * @param now milliseconds since 1970, for a response without a date
 */
export function waitHint(status: number, headers: Headers, now: number): number | undefined {
  const date = parseDate(headers.get('date') ?? '');
  const serverNow = date === undefined ? now : date + 1000 * (Number(headers.get('age')) || 0);
  const retryAfter = headers.get('retry-after');
  const wait = status >= 300 && retryAfter !== null ? delay(retryAfter, serverNow) : undefined;
  if (wait !== undefined) return wait;
  const combined = headers.get('ratelimit') ?? '';
  const spent = [...combined.matchAll(/\br=0\s*;\s*t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (spent.length > 0) return 1000 * Math.max(...spent);
  const limitOf = (name: string) =>
    RegExp(`\\b${name}=(\\d+)`).exec(combined)?.[1] ??
    PREFIXES.map((prefix) => headers.get(`${prefix}-${name}`)).find((value) => value !== null);
  // A number below zero means that there is no limit.
  const remaining = limitOf('remaining');
  const reset = limitOf('reset') ?? limitOf('reset-after');
  const isSpent = remaining === undefined ? status === 429 : Number(remaining) === 0;
  return isSpent && reset !== undefined ? delay(reset, serverNow) : undefined;
}

function delay(value: string, now: number): number | undefined {
  // A header that is sent twice is a list.
  const [text] = /^\d+(?:\.\d+)?(?=\s*(?:,|$))/.exec(value.trim()) ?? [];
  if (text === undefined) {
    const date = parseDate(value.trim());
    return date === undefined ? undefined : Math.max(0, date - now);
  }
  const number = Number(text);
  if (number < SMALLEST_UNIX_TIME) return number * 1000;
  return Math.max(0, (number < SMALLEST_UNIX_MILLISECONDS ? number * 1000 : number) - now);
}

function parseDate(text: string): number | undefined {
  const date = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
