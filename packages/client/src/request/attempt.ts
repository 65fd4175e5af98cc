import ky from 'ky';
import { type FilledOptions, repairedUrl } from '../client-options.ts';
import { connectionError, RequestError, responseError, StatusError } from '../errors.ts';
import { differenceOf } from '../walk.ts';
import { readProblem } from './check-answer.ts';

/** Minimum rate of a response, in bytes per millisecond: 1 kB per second. */
const LEAST_BYTES = 1;

/** Statuses of a body to read, or of a part of it. */
const FINE = new Set([200, 206]);
/** How much of a problem document is read, in characters. */
const MOST_OF_PROBLEM = 100_000;

/**
 * Sends a request once, and yields the chunks of its body. The timeout restarts whenever bytes arrive, so that a large response
 * may take longer; but a server that sends a byte now and then is too slow. Time in which the caller does not wait for bytes
 * is not counted.
 *
 * @param headers in addition to those of every request
 * @param onResponse called before the first chunk
 * @throws RequestError, which is a StatusError for other statuses than 200 and 206; or the signal's reason
 */
export async function* attempt(
  url: string,
  headers: Record<string, string>,
  { headers: common, timeoutMs, slowMs, signal }: FilledOptions,
  onResponse: (response: Response) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = () =>
    stop.abort(new RequestError(url, 'silence', `the server sent nothing for ${timeoutMs / 1000} s`));
  /** Waits for bytes. The second timer is for those that came while this process was busy. */
  const heard = async <Result>(work: Promise<Result>): Promise<Result> => {
    timer = setTimeout(() => {
      timer = setTimeout(silence, 0);
    }, timeoutMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let bytes = 0;
  let waitedMs = 0;
  let problem = '';
  const decoder = new TextDecoder();
  try {
    const response = await heard(fetchWithin(url, withHeaders(common, headers), stop.signal));
    onResponse(response);
    const isFine = FINE.has(response.status);
    if (isFine) checkSubject(url, response.headers);
    // Not every browser can iterate a stream itself.
    reader = response.body?.getReader();
    while (reader) {
      const began = performance.now();
      const { done, value } = await heard(reader.read());
      if (done) break;
      bytes += value.byteLength;
      waitedMs += performance.now() - began;
      if (waitedMs >= slowMs) {
        if (bytes < waitedMs * LEAST_BYTES) throw slowError(url, bytes, waitedMs);
        bytes = 0;
        waitedMs = 0;
      }
      if (isFine) yield value;
      else problem += decoder.decode(value, { stream: true });
      if (problem.length > MOST_OF_PROBLEM) break;
    }
    if (!isFine) throw new StatusError(url, response.status, readProblem(problem));
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error instanceof RequestError ? error : connectionError(url, error);
  } finally {
    signal.removeEventListener('abort', abort);
    await reader?.cancel().catch(() => {});
    stop.abort();
  }
}

/** @throws RequestError if a response says that it is of another edition or language than was asked for */
function checkSubject(url: string, headers: Headers): void {
  const { pathname, searchParams } = new URL(url);
  const [, language] = /\/(en|nl)\/api\b/.exec(pathname) ?? [];
  const [edition] = /^\d+$/.exec(searchParams.get('edition') ?? '') ?? [];
  const facts = [
    ['edition', edition, headers.get('archive-edition')],
    ['language', language, headers.get('content-language')],
  ] as const;
  for (const [what, asked, came] of facts)
    if (asked !== undefined && came !== null && asked !== came)
      throw responseError(url, `expected ${what} ${asked}, but it is of ${what} ${came}`);
}

function slowError(url: string, bytes: number, ms: number): RequestError {
  const sent = `the server sent ${bytes} bytes in ${Number((ms / 1000).toFixed(1))} s`;
  return new RequestError(url, 'slow', `${sent}, expected at least 1 kB per second`);
}

/** Headers with others in their place, whatever the case of their names. */
function withHeaders(headers: Record<string, string>, others: Record<string, string>): Headers {
  const merged = new Headers(headers);
  for (const [name, value] of Object.entries(others)) merged.set(name, value);
  return merged;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Retries, timeouts and statuses are handled by the caller. */
const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' });

/**
 * Fetches an address, and follows redirects within its origin.
 *
 * @throws RequestError for a redirect to another origin or without a parameter of the address, for loops, and after five redirects
 */
async function fetchWithin(url: string, headers: Headers, signal: AbortSignal): Promise<Response> {
  const refuse = (why: string) => new RequestError(url, 'redirect', `the server redirects ${why}`);
  const outside = (location: string) =>
    refuse(`to ${location}, which is outside the base URL; use that address as the base URL`);
  const visited = [url];
  const asked = [...new URL(url).searchParams.keys()];
  // The signal goes to fetch only: ky would create two more signals for each request.
  const withSignal = (request: Parameters<typeof fetch>[0]) => fetch(request, { signal });
  for (;;) {
    const current = visited.at(-1) ?? url;
    const response = await http(current, { headers, fetch: withSignal });
    if (response.type === 'opaqueredirect') throw outside('another address');
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (!location) throw refuse(`with status ${response.status}, but does not say where to (Location)`);
    const target = URL.parse(location, current)?.href;
    const next = target && repairedUrl(target, url);
    if (!next) throw outside(location);
    if (visited.includes(next)) throw refuse(`in a loop: ${[...visited, next].join(' → ')}`);
    if (visited.length > MOST_REDIRECTS)
      throw refuse(`more than ${MOST_REDIRECTS} times, at last to ${next}`);
    const lost = differenceOf(url, next, asked);
    if (lost !== undefined) throw refuse(`to ${next}, which does not keep the parameter "${lost}"`);
    visited.push(next);
  }
}
