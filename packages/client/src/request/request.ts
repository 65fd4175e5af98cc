import { type ClientOptions, fillOptions } from '../client-options.ts';
import { cutError, RequestError, StatusError, sizeError } from '../errors.ts';
import { attempt } from './attempt.ts';
import { createDecoder, type Expected, isCut, parseAnswer } from './check-answer.ts';
import { Limiter, waitHint } from './limiter.ts';
import { type LineQuestion, linesFrom } from './lines.ts';

/** An earlier response, for a conditional request. */
export interface Held<T> {
  etag: string;
  body(): T;
}

/** A request for JSON. */
export interface Question<T> extends Expected {
  /** The response as it was: its body is the result if the server says that it is unchanged (304). */
  held?: Held<T> | undefined;
  /** Aborts the request; its reason is thrown. Overrides the option. */
  signal?: AbortSignal | undefined;
}

/** A request for bytes, conditional with the ETag of an earlier response. */
interface ByteQuestion {
  url: string;
  etag: string | undefined;
}

/** A successful response: its validated body, and the text of that. */
export interface Answer<T> {
  body: T;
  text: string;
  headers: Headers;
}

/** The options of a client, and its requests. */
export type Connection = ReturnType<typeof connect>;

/** Retries of an invalid response, which may be a proxy's temporary error page. */
const RETRIES_OF_WRONG_ANSWERS = 1;

/** First back-off, doubled with each attempt, in milliseconds. */
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Connects a client: all requests pass through one limiter. Fetching, reading, parsing and checking a response are one unit, which is
 * retried if any part fails: on status 408, 425, 429 and 5xx (unless the problem is permanent), on failed or broken
 * connections, on timeouts, on slow responses, on an unknown edition that this archive has named, and once on an invalid
 * response.
 *
 * @throws OptionError if an option is invalid
 */
export function connect(given: ClientOptions) {
  const options = fillOptions(given);
  const { retries, maxWaitMs, onNotice } = options;
  const limiter = new Limiter(options);
  /** Whether the server has responded before: then errors that are otherwise permanent are retried. */
  let isReached = false;
  const named = new Set<string>();

  /** Delays all requests before a request is retried. @throws the error, if another attempt is useless */
  function retry(url: string, error: unknown, attempts: number, signal: AbortSignal): void {
    signal.throwIfAborted();
    if (!(error instanceof RequestError)) throw error;
    if (attempts > (isBehind(error, named) ? retries : retriesFor(error, retries, isReached))) throw error;
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS, maxWaitMs);
    const waitMs = limiter.pause(backoffMs);
    onNotice({ type: 'retry', url, reason: error.message, attempt: attempts, waitMs });
  }

  /** Sends a request once. A wait that the server asks for delays all requests. */
  function send(
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    onResponse: (response: Response) => void,
  ) {
    return attempt(url, headers, { ...options, signal }, (response) => {
      isReached = true;
      const edition = response.headers.get('archive-edition');
      if (edition !== null) named.add(edition);
      const waitMs = waitHint(response.status, response.headers, Date.now());
      // A response that succeeded only announces a limit: the server says so itself if it is to be kept.
      if (waitMs && !(response.ok && waitMs > maxWaitMs))
        onNotice({ type: 'wait', url, waitMs: limiter.pause(waitMs) });
      onResponse(response);
    });
  }

  /** Sends a conditional request once, for at most `maxBytes`. */
  async function* chunksOf(
    { url, etag }: ByteQuestion,
    signal: AbortSignal,
    onResponse: (response: Response) => void,
  ): AsyncGenerator<Uint8Array, void, void> {
    let bytes = 0;
    for await (const chunk of send(url, conditional(etag), signal, onResponse)) {
      bytes += chunk.byteLength;
      // A small compressed response can be of any size after decompression.
      if (bytes > options.maxBytes) throw sizeError(url, options.maxBytes);
      yield chunk;
    }
  }

  /** Runs a task within the limits, and again if it fails and a retry may succeed. */
  async function retried<T>(url: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await limiter.run(url, signal, task);
      } catch (error) {
        retry(url, error, attempts, signal);
      }
    }
  }

  /** One attempt, with everything that can fail. */
  async function ask<T>(question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
    const { url, held } = question;
    let headers = new Headers();
    const decode = createDecoder(url);
    let text = '';
    let bytes = 0;
    const chunks = chunksOf({ url, etag: held?.etag }, signal, (response) => {
      ({ headers } = response);
    });
    try {
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        text += decode(chunk, { stream: true });
      }
    } catch (error) {
      if (!held || !(error instanceof StatusError && error.status === 304)) throw error;
      return { body: held.body(), text: '', headers };
    }
    try {
      text += decode();
      return { body: parseAnswer(text, question, options), text, headers };
    } catch (error) {
      throw isCut(text) ? cutError(url, bytes) : error;
    }
  }

  return {
    ...options,
    /** Requests JSON. @throws RequestError of the last attempt, or the signal's reason */
    async request<T>(question: Question<T>): Promise<Answer<T>> {
      const { url, signal = options.signal } = question;
      return retried(url, signal, () => ask(question, signal));
    },
    /**
     * Requests bytes. `read` gets those of each attempt; the result is that of the one that succeeds, with the headers.
     *
     * @throws RequestError, a StatusError with 304 if the response is unchanged; the signal's reason; what `read` throws
     */
    async bytes<T>(
      question: ByteQuestion,
      read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    ): Promise<{ body: T; headers: Headers }> {
      let headers = new Headers();
      const { signal } = options;
      const body = await retried(question.url, signal, () => {
        const chunks = chunksOf(question, signal, (response) => {
          ({ headers } = response);
        });
        return read(chunks);
      });
      return { body, headers };
    },
    /**
     * Requests lines, in batches, with their line feeds. When the connection breaks or times out, reading resumes after the last
     * complete line, at most `retries` times without a line in between. For slow responses `retries` is the limit in total: a
     * few lines now and then are no progress.
     *
     * @throws RequestError, or the signal's reason
     */
    async *lines(question: LineQuestion): AsyncGenerator<Uint8Array[], void, void> {
      const { url, shortfall, maxBytes = options.maxBytes, signal = options.signal } = question;
      let { from = 0 } = question;
      let failures = 0;
      let slow = 0;
      while (!shortfall || shortfall(from)) {
        try {
          // A stream of any length holds no place in the limiter.
          await limiter.run(url, signal, async () => {});
          const sent = (headers: Record<string, string>, onResponse: (response: Response) => void) =>
            send(url, headers, signal, onResponse);
          for await (const lines of linesFrom(sent, { url, from, maxBytes })) {
            for (const line of lines) from += line.length;
            failures = 0;
            yield lines;
          }
          const missing = shortfall?.(from);
          if (missing) throw missing;
          return;
        } catch (error) {
          failures += 1;
          if (error instanceof RequestError && error.reason === 'slow') slow += 1;
          if (!shortfall || (error instanceof RequestError && !error.isPassing)) throw error;
          retry(url, error, Math.max(failures, slow), signal);
        }
      }
    },
  };
}

/** Whether the server does not know an edition that the archive has named: one of several servers lags behind. */
function isBehind(error: RequestError, named: ReadonlySet<string>): boolean {
  if (!(error instanceof StatusError) || error.problem !== 'no-such-edition') return false;
  return named.has(new URL(error.url).searchParams.get('edition') ?? '');
}

function retriesFor(error: RequestError, retries: number, isReached: boolean): number {
  if (error.reason === 'response') return Math.min(retries, RETRIES_OF_WRONG_ANSWERS);
  // A retry would wait as long.
  if (error.reason === 'wait') return 0;
  if (error.reason === 'address' && !isReached) return 0;
  return error.isPassing ? retries : 0;
}

/**
 * The headers of a conditional request. Without a `cache-control`, fetch would add `no-cache` (Fetch standard,
 * HTTP-network-or-cache fetch), and some servers then ignore the condition.
 */
function conditional(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-none-match': etag, 'cache-control': 'max-age=0' };
}
