import type { FilledOptions } from '../client-options.ts';
import { cutError, RequestError, type RequestFault, StatusError, sizeError } from '../errors.ts';
import { attempt } from './attempt.ts';
import { type Check, createDecoder, isCut, parseAnswer } from './check-answer.ts';
import { backoffMs, Limiter, type LimiterOptions } from './limiter.ts';
import { waitHint } from './wait-hint.ts';

/** Options of requests. */
export type RequestOptions = LimiterOptions &
  Pick<FilledOptions, 'headers' | 'retries' | 'timeoutMs' | 'slowMs' | 'maxBytes' | 'lenient'>;

/** An earlier response, for a conditional request. */
export interface Held<T> {
  etag: string;
  body(): T;
}

/** A request. */
interface Question<T> {
  url: string;
  check: Check;
  /** Description of the expected response, for errors: "a page of persons". */
  expected: string;
  /** The response as it was: its body is the result if the server says that it is unchanged (304). */
  held?: Held<T> | undefined;
  /** Aborts the request; its reason is thrown. */
  signal: AbortSignal;
  /** Accept unknown fields; overrides the option. */
  lenient?: boolean | undefined;
}

/** A successful response: its validated body, and the text of that. */
interface Answer<T> {
  body: T;
  text: string;
  headers: Headers;
}

/** Sends a request. */
export type Request = <T>(question: Question<T>) => Promise<Answer<T>>;

/** Reasons that do not show that a server has responded. */
const UNREACHED: ReadonlySet<RequestFault> = new Set(['address', 'connection', 'silence']);

/** Retries of an invalid response, which may be a proxy's temporary error page. */
const RETRIES_OF_WRONG_ANSWERS = 1;

/**
 * Creates the function that sends all requests, through one limiter. Fetching, reading, parsing and checking a response are one unit, which is
 * retried if any part fails: on status 408, 425, 429 and 5xx (unless the problem is permanent), on failed or broken
 * connections, on timeouts, on slow responses, on an unknown edition that this archive has named, and once on an invalid
 * response.
 *
 * The function throws the `RequestError` of the last attempt, or the reason of the signal.
 */
export function createRequest(options: RequestOptions): Request {
  const { onNotice } = options;
  const limiter = new Limiter(options);
  /** Whether the server has responded before: then errors that are otherwise permanent are retried. */
  let isReached = false;
  /** Editions named by responses. */
  const named = new Set<string>();

  return async (question) => {
    const { url, signal } = question;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await limiter.run(url, signal, () => ask(question, options, limiter));
        isReached = true;
        const edition = answer.headers.get('archive-edition');
        if (edition !== null) named.add(edition);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RequestError)) throw error;
        isReached ||= !UNREACHED.has(error.reason);
        const retries = isBehind(error, named) ? options.retries : retriesFor(error, options, isReached);
        if (attempt > retries) throw error;
        const waitMs = limiter.pause(Math.min(backoffMs(attempt), options.maxWaitMs));
        onNotice({ type: 'retry', url, reason: error.message, attempt, waitMs });
      }
    }
  };
}

/** Whether the server does not know an edition that the archive has named: one of several servers lags behind. */
function isBehind(error: RequestError, named: ReadonlySet<string>): boolean {
  if (!(error instanceof StatusError) || error.problem !== 'no-such-edition') return false;
  return named.has(new URL(error.url).searchParams.get('edition') ?? '');
}

function retriesFor(error: RequestError, { retries }: RequestOptions, isReached: boolean): number {
  if (error.reason === 'response') return Math.min(retries, RETRIES_OF_WRONG_ANSWERS);
  // A retry would wait as long.
  if (error.reason === 'wait') return 0;
  if (error.reason === 'address' && !isReached) return 0;
  return error.isPassing ? retries : 0;
}

/** One attempt, with everything that can fail. */
async function ask<T>(question: Question<T>, options: RequestOptions, limiter: Limiter): Promise<Answer<T>> {
  const { url, check, expected, held, signal, lenient = options.lenient } = question;
  const { maxBytes, onNotice } = options;
  let headers = new Headers();
  const decode = createDecoder(url);
  let text = '';
  let bytes = 0;
  const chunks = attempt(url, conditional(held?.etag), { ...options, signal }, (response) => {
    ({ headers } = response);
    const waitMs = waitHint(response.status, headers, Date.now());
    // A response that succeeded only announces a limit: the server says so itself if it is to be kept.
    if (!waitMs || (response.ok && waitMs > options.maxWaitMs)) return;
    onNotice({ type: 'wait', url, waitMs: limiter.pause(waitMs) });
  });
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      // A small compressed response can be of any size after decompression.
      if (bytes > maxBytes) throw sizeError(url, maxBytes);
      text += decode(chunk, { stream: true });
    }
  } catch (error) {
    if (!held || !(error instanceof StatusError && error.status === 304)) throw error;
    return { body: held.body(), text: '', headers };
  }
  try {
    text += decode();
    return { body: parseAnswer(url, text, check, expected, lenient), text, headers };
  } catch (error) {
    throw isCut(text) ? cutError(url, bytes) : error;
  }
}

/**
 * The headers of a conditional request. Without a `cache-control`, fetch would add `no-cache` (Fetch standard,
 * HTTP-network-or-cache fetch), and some servers then ignore the condition.
 */
function conditional(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-none-match': etag, 'cache-control': 'max-age=0' };
}
