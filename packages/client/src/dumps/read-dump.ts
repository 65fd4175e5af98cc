import {
  ConnectionError,
  RequestError,
  SilenceError,
  SlowAnswerError,
  StatusError,
  TooLargeError,
} from '../errors/request-errors.ts';
import type { FetchWithin } from '../request/fetch-within.ts';
import type { OnNotice } from '../request/notice.ts';
import { Pace } from '../request/pace.ts';
import { readProblem } from '../request/parse-answer.ts';
import { backoffMs, sleep } from '../request/sleep.ts';

/** Options of `readLinesOf`. */
interface LineReading {
  fetchWithin: FetchWithin;
  url: string;
  /** Offset of the line to begin at, in bytes. */
  from: number;
  /**
   * Returns the error of a response that ends too early; undefined if it is complete.
   *
   * @param end offset in bytes
   */
  shortfall(end: number): RequestError | undefined;
  timeoutMs: number;
  /** Timeout of a slow response, in milliseconds. */
  slowMs: number;
  retries: number;
  /** Maximum size of a line, in bytes. */
  maxBytes: number;
  signal: AbortSignal;
  onNotice: OnNotice;
}

const LINE_FEED = 0x0a;

/** Options of `readDump`. */
interface DumpReading extends Omit<LineReading, 'shortfall'> {
  /** Size of the dump. */
  bytes: number;
}

/** Reads the lines of a dump as `readLinesOf` does. */
export function readDump({ bytes, ...reading }: DumpReading): AsyncGenerator<Uint8Array[], void, void> {
  const shortfall = (end: number) =>
    end < bytes ? new ConnectionError(reading.url, new Error(`ended ${bytes - end} bytes early`)) : undefined;
  return readLinesOf({ ...reading, shortfall });
}

/**
 * Reads the lines of a response in batches, with their line feeds. When the connection breaks or times out, reading resumes
 * after the last complete line, at most `retries` times without a line in between. For slow responses `retries` is the limit
 * in total: a few lines now and then are no progress.
 *
 * @throws RequestError, or the signal's reason
 */
export async function* readLinesOf(reading: LineReading): AsyncGenerator<Uint8Array[], void, void> {
  const { url, shortfall, retries, signal, onNotice } = reading;
  let { from } = reading;
  let slow = 0;
  for (let attempt = 1; shortfall(from); attempt += 1) {
    try {
      for await (const lines of linesFrom({ ...reading, from })) {
        for (const line of lines) from += line.length;
        attempt = 0;
        yield lines;
      }
      const missing = shortfall(from);
      if (missing) throw missing;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SlowAnswerError) slow += 1;
      if (!(error instanceof RequestError && error.isPassing) || Math.max(attempt, slow) > retries)
        throw error;
      // After lines that came, a failure is the first again.
      const attempts = Math.max(1, attempt);
      const waitMs = backoffMs(attempts);
      onNotice({ type: 'retry', url, reason: error.message, attempt: attempts, waitMs });
      await sleep(waitMs, signal);
    }
  }
}

/** Reads the lines of a response from an offset, in batches, with their line feeds. */
export async function* linesFrom(
  reading: Omit<StreamQuestion, 'signal'> & Pick<LineReading, 'fetchWithin' | 'maxBytes' | 'signal'>,
): AsyncGenerator<Uint8Array[], void, void> {
  let rest: Uint8Array[] = [];
  let length = 0;
  for await (const part of readStream(reading.fetchWithin, reading)) {
    const lines: Uint8Array[] = [];
    let begin = 0;
    for (let end = part.indexOf(LINE_FEED); end !== -1; end = part.indexOf(LINE_FEED, begin)) {
      const tail = part.subarray(begin, end + 1);
      lines.push(rest.length > 0 ? joined([...rest, tail]) : tail);
      rest = [];
      length = 0;
      begin = end + 1;
    }
    if (begin < part.length) rest.push(part.subarray(begin));
    length += part.length - begin;
    if (length > reading.maxBytes) throw new TooLargeError(reading.url, reading.maxBytes);
    if (lines.length > 0) yield lines;
  }
}

/** Concatenates byte arrays. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** A streaming request. */
interface StreamQuestion {
  url: string;
  /** Offset to begin at, in bytes after decompression. */
  from: number;
  /** Timeout if the server sends nothing, in milliseconds. */
  timeoutMs: number;
  /** Timeout of a slow response, in milliseconds. */
  slowMs: number;
  signal: AbortSignal;
}

/**
 * Streams the body of a response from an offset. A server without range requests sends everything, and the beginning is
 * skipped.
 *
 * @throws RequestError, or the signal's reason
 */
async function* readStream(
  fetchWithin: FetchWithin,
  { url, from, timeoutMs, slowMs, signal }: StreamQuestion,
): AsyncGenerator<Uint8Array, void, void> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const silent = () => stop.abort(new SilenceError(url, timeoutMs));
  let timer = setTimeout(silent, timeoutMs);
  try {
    // A range applies to the bytes as sent, so they must not be compressed.
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
