import {
  ConnectionError,
  LongWaitError,
  RequestError,
  SilenceError,
  StatusError,
  TooLargeError,
  WrongAnswerError,
} from '../errors/request-errors.ts';
import type { Schema } from './assert-matches.ts';
import { createFetchWithin, type FetchWithin } from './fetch-within.ts';
import type { Limiter } from './limiter.ts';
import type { OnNotice } from './notice.ts';
import { Pace } from './pace.ts';
import { parseAnswer, readProblem } from './parse-answer.ts';
import { backoffMs } from './sleep.ts';

/** How requests are made. */
export interface RequestOptions {
  /** Sent with every request. */
  headers: Record<string, string>;
  /** How often a request that failed is made again. */
  retries: number;
  /** The longest silence of the server, in milliseconds. */
  timeoutMs: number;
  /** How long an answer may come too slowly, in milliseconds. */
  slowMs: number;
  /** The longest wait between two tries, in milliseconds. */
  maxWaitMs: number;
  /** The largest answer that is read, in bytes after decompression. */
  maxBytes: number;
  /** Accept fields that the contract does not know. */
  lenient: boolean;
  limiter: Limiter;
  onNotice: OnNotice;
}

/** What is asked for. */
interface Question<T> {
  url: string;
  schema: Schema<T>;
  /** What the answer should be, in words, for errors: "a page of persons". */
  expected: string;
  /** The ETag of an answer that is held already: the server may say that it still holds. */
  etag?: string | undefined;
  /** Ends the request; its reason is thrown. */
  signal: AbortSignal;
  /** Accept fields that the schema does not know, whatever the options say. */
  lenient?: boolean | undefined;
}

/** A usable answer. */
interface Answer<T> {
  /** The body, checked and otherwise as it came; undefined when the answer held already (304). */
  body: T | undefined;
  /** The body as it came. */
  text: string;
  headers: Headers;
}

/** Makes requests. */
export type Request = <T>(question: Question<T>) => Promise<Answer<T>>;

/** An answer that is not the contract's may be a proxy's passing error page; more tries would only delay the news. */
const RETRIES_OF_WRONG_ANSWERS = 1;

/**
 * Makes the function through which all requests pass. Fetching, reading, parsing and checking an answer are one
 * unit, which is tried again when any of them fails: on 408, 425, 429 and 5xx (but for a record that the server cannot
 * write), on connections that fail or are
 * cut half-way, on silence, on an answer that comes too slowly, on an edition that is not known though this archive has named it, and once on an answer that
 * is not the contract's.
 *
 * The function throws the `RequestError` of the last try, or the reason of the signal.
 */
export function createRequest(options: RequestOptions): Request {
  const { limiter, onNotice } = options;
  const fetchWithin = createFetchWithin(options.headers);
  /** Whether the server has ever answered: what looks hopeless in the beginning is passing later. */
  let isReached = false;
  /** Editions that answers have named. */
  const named = new Set<string>();

  return async (question) => {
    const { url, signal } = question;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await limiter.run(url, signal, () => ask(question, options, fetchWithin));
        isReached = true;
        const edition = answer.headers.get('archive-edition');
        if (edition !== null) named.add(edition);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RequestError)) throw error;
        isReached ||= !(error instanceof ConnectionError || error instanceof SilenceError);
        const retries = isBehind(error, named)
          ? options.retries
          : retriesFor(error, options.retries, isReached);
        if (attempt > retries) throw error;
        const waitMs = limiter.pause(Math.min(backoffMs(attempt), options.maxWaitMs));
        onNotice({ type: 'retry', url, reason: error.message, attempt, waitMs });
      }
    }
  };
}

/** Whether a server does not know an edition that this archive has named: it is one of several, and behind the others. */
function isBehind(error: RequestError, named: ReadonlySet<string>): boolean {
  if (!(error instanceof StatusError) || error.problem !== 'no-such-edition') return false;
  return named.has(new URL(error.url).searchParams.get('edition') ?? '');
}

function retriesFor(error: RequestError, retries: number, isReached: boolean): number {
  if (error instanceof WrongAnswerError) return Math.min(retries, RETRIES_OF_WRONG_ANSWERS);
  // The limiter has refused to wait so long, and would again.
  if (error instanceof LongWaitError) return 0;
  if (error instanceof ConnectionError && error.isHopeless && !isReached) return 0;
  return error.isPassing ? retries : 0;
}

/** One try. The time-out begins anew whenever something is heard, so that a large answer may take its time. */
async function ask<T>(
  question: Question<T>,
  options: RequestOptions,
  fetchWithin: FetchWithin,
): Promise<Answer<T>> {
  const { url, schema, expected, etag, signal, lenient = options.lenient } = question;
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  let heardAt = performance.now();
  const heard = () => {
    heardAt = performance.now();
  };
  const listen = () => {
    const left = heardAt + options.timeoutMs - performance.now();
    if (left > 0) timer = setTimeout(listen, Math.ceil(left));
    else controller.abort(new SilenceError(url, options.timeoutMs));
  };
  let timer = setTimeout(listen, options.timeoutMs);
  try {
    const headers = etag === undefined ? undefined : conditional(etag);
    const response = await fetchWithin(url, headers, controller.signal);
    heard();
    const waitMs = waitHint(response.status, response.headers, Date.now());
    if (waitMs) options.onNotice({ type: 'wait', url, waitMs: options.limiter.pause(waitMs) });
    if (response.status === 304) return { body: undefined, text: '', headers: response.headers };
    const pace = new Pace(url, options.slowMs);
    const text = await readBody(url, response, options.maxBytes, pace, heard);
    if (response.status !== 200) throw new StatusError(url, response.status, readProblem(text));
    const body = parseAnswer(url, text, schema, expected, lenient);
    return { body, text, headers: response.headers };
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error instanceof RequestError ? error : new ConnectionError(url, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The headers that ask whether an answer still holds. Without a `cache-control` of ours, fetch would add
 * `no-cache` (Fetch standard, HTTP-network-or-cache fetch), at which some servers send everything again.
 */
function conditional(etag: string): Record<string, string> {
  return { 'if-none-match': etag, 'cache-control': 'max-age=0' };
}

/**
 * Reads an answer's body as text, and stops when it grows beyond a limit: a small compressed answer can unfold
 * to any size.
 *
 * @param url what was asked for, named in errors
 * @param maxBytes the largest body that is read, in bytes after decompression
 * @param pace watches how fast it comes
 * @param onBytes called whenever a part has come
 * @throws TooLargeError when the body is larger; SlowAnswerError when it comes too slowly
 */
async function readBody(
  url: string,
  response: Response,
  maxBytes: number,
  pace: Pace,
  onBytes: () => void,
): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  // Not every browser can iterate a stream itself.
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  pace.wait();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      onBytes();
      pace.take(part.value.byteLength);
      bytes += part.value.byteLength;
      if (bytes > maxBytes) throw new TooLargeError(url, maxBytes);
      text += decoder.decode(part.value, { stream: true });
      pace.wait();
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error;
  }
  return text + decoder.decode();
}

/** Numbers above this are read as Unix time in seconds, not as a delay: it is the year 2001. */
const SMALLEST_UNIX_TIME = 1_000_000_000;

/**
 * How long an answer asks to wait before the next request, in milliseconds; undefined when it does not ask.
 * Read are `Retry-After` (seconds or an HTTP date: RFC 9110, section 10.2.3) on answers that are not 2xx, and
 * on all answers that no request is left in the present window: `RateLimit` (draft-ietf-httpapi-ratelimit-headers,
 * `r=0;t=30` or `remaining=0, reset=30`), `RateLimit-Remaining` with `RateLimit-Reset`, and the same with `X-`.
 *
 * @param now milliseconds since 1970
 */
export function waitHint(status: number, headers: Headers, now: number): number | undefined {
  const retryAfter = headers.get('retry-after');
  if (status >= 300 && retryAfter !== null) {
    const wait = delay(retryAfter, now);
    if (wait !== undefined) return wait;
  }
  const [remaining, reset] = rateLimit(headers);
  if (remaining === null || reset === null || Number(remaining) > 0) return undefined;
  return delay(reset, now);
}

function rateLimit(headers: Headers): [remaining: string | null, reset: string | null] {
  const combined = headers.get('ratelimit');
  if (combined !== null) {
    return [parameter(combined, /\b(?:r|remaining)=(\d+)/), parameter(combined, /\b(?:t|reset)=(\d+)/)];
  }
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const remaining = headers.get(`${prefix}-remaining`);
    if (remaining !== null) return [remaining, headers.get(`${prefix}-reset`)];
  }
  return [null, null];
}

function parameter(header: string, pattern: RegExp): string | null {
  return pattern.exec(header)?.[1] ?? null;
}

function delay(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) {
    const seconds = Number(text);
    return seconds < SMALLEST_UNIX_TIME ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
