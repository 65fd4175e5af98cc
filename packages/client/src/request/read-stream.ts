import { ConnectionError, RequestError, SilenceError, StatusError } from '../errors/request-errors.ts';
import type { FetchWithin } from './fetch-within.ts';
import { Pace } from './pace.ts';
import { readProblem } from './parse-answer.ts';

/** What is streamed. */
export interface StreamQuestion {
  url: string;
  /** Where to begin, in bytes after decompression. */
  from: number;
  /** The longest silence of the server, in milliseconds. */
  timeoutMs: number;
  /** How long the answer may come too slowly, in milliseconds. */
  slowMs: number;
  signal: AbortSignal;
}

/**
 * Streams an answer's body from a byte on. A server that does not know ranges sends everything, of which the
 * beginning is dropped.
 *
 * @throws RequestError, or the signal's reason
 */
export async function* readStream(
  fetchWithin: FetchWithin,
  { url, from, timeoutMs, slowMs, signal }: StreamQuestion,
): AsyncGenerator<Uint8Array, void, void> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const silent = () => stop.abort(new SilenceError(url, timeoutMs));
  let timer = setTimeout(silent, timeoutMs);
  try {
    // A range is one of the bytes as they are sent: they must not be compressed.
    const range = from > 0 ? { range: `bytes=${from}-`, 'accept-encoding': 'identity' } : undefined;
    const response = await fetchWithin(url, range, stop.signal);
    if (response.status !== 200 && response.status !== 206) {
      throw new StatusError(url, response.status, readProblem(await response.text()));
    }
    let dropped = response.status === 206 ? from : 0;
    const pace = new Pace(url, slowMs);
    for await (const part of response.body ?? []) {
      pace.take(part.length);
      clearTimeout(timer);
      timer = setTimeout(silent, timeoutMs);
      const kept = part.subarray(Math.min(part.length, from - dropped));
      dropped += part.length - kept.length;
      if (kept.length > 0) yield kept;
      pace.wait();
    }
  } catch (error) {
    signal.throwIfAborted();
    stop.signal.throwIfAborted();
    throw error instanceof RequestError ? error : new ConnectionError(url, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    stop.abort();
  }
}
