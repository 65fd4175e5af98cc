import { hasLineFeed, splitLines } from '@archiefkast/system/split-lines';
import type { FilledOptions } from '../client-options.ts';
import { connectionError, cutError, RequestError, responseError, sizeError, waitError } from '../errors.ts';
import { type AttemptOptions, attempt } from './attempt.ts';
import { backoffMs, sleep } from './limiter.ts';
import { waitHint } from './wait-hint.ts';

/** Options of `linesFrom`; `maxBytes` is the maximum size of a line. */
interface StreamReading extends AttemptOptions, Pick<FilledOptions, 'maxBytes' | 'maxWaitMs'> {
  url: string;
  /** Offset of the line to begin at, in bytes after decompression. */
  from: number;
}

/** Options of `readLinesOf`. */
type LineReading = StreamReading & Pick<FilledOptions, 'retries' | 'onNotice'>;

/** Reads the lines of a dump of a number of bytes as `readLinesOf` does. */
export function readDump(reading: LineReading & { bytes: number }): AsyncGenerator<Uint8Array[], void, void> {
  const missing = (end: number) => reading.bytes - end;
  return readLinesOf(reading, (end) =>
    missing(end) > 0
      ? connectionError(reading.url, new Error(`ended ${missing(end)} bytes early`))
      : undefined,
  );
}

/**
 * Reads the lines of a response in batches, with their line feeds. When the connection breaks or times out, reading resumes
 * after the last complete line, at most `retries` times without a line in between. For slow responses `retries` is the limit
 * in total: a few lines now and then are no progress.
 *
 * @param shortfall returns the error of a response that ends too early, at an offset in bytes; undefined if it is complete
 * @throws RequestError, or the signal's reason
 */
export async function* readLinesOf(
  reading: LineReading,
  shortfall: (end: number) => RequestError | undefined,
): AsyncGenerator<Uint8Array[], void, void> {
  const { url, retries, signal, maxWaitMs, onNotice } = reading;
  let { from } = reading;
  let slow = 0;
  let hintMs = 0;
  const onResponse = ({ status, headers }: Response) => {
    hintMs = waitHint(status, headers, Date.now()) ?? 0;
  };
  for (let attempt = 1; shortfall(from); attempt += 1) {
    try {
      hintMs = 0;
      for await (const lines of linesFrom({ ...reading, from }, onResponse)) {
        for (const line of lines) from += line.length;
        attempt = 0;
        yield lines;
      }
      const missing = shortfall(from);
      if (missing) throw missing;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RequestError && error.isPassing)) throw error;
      if (error.reason === 'slow') slow += 1;
      if (Math.max(attempt, slow) > retries) throw error;
      // After lines that came, a failure is the first again.
      const attempts = Math.max(1, attempt);
      if (hintMs > maxWaitMs) throw waitError(url, hintMs, maxWaitMs);
      const waitMs = Math.max(hintMs, Math.min(backoffMs(attempts), maxWaitMs));
      onNotice({ type: 'retry', url, reason: error.message, attempt: attempts, waitMs });
      await sleep(waitMs, signal);
    }
  }
}

/**
 * Reads the complete lines of a response from an offset, in batches, with their line feeds. A server without range requests
 * sends everything, and the beginning is skipped.
 *
 * @param onResponse called before the first line
 * @throws RequestError, also if the last line is not complete; or the signal's reason
 */
export async function* linesFrom(
  reading: StreamReading,
  onResponse: (response: Response) => void = () => {},
): AsyncGenerator<Uint8Array[], void, void> {
  const { url, from, maxBytes } = reading;
  // A range applies to the bytes as sent, so they must not be compressed.
  const range = { range: `bytes=${from}-`, 'accept-encoding': 'identity' };
  let skip = from;
  const chunks = attempt(url, from > 0 ? range : {}, reading, (response) => {
    onResponse(response);
    if (response.status !== 206) return;
    const got = response.headers.get('content-range') ?? '';
    if (!got.startsWith(`bytes ${from}-`))
      throw responseError(url, `expected the bytes from ${from}, not ${got}`);
    skip = 0;
  });
  async function* rest() {
    for await (const chunk of chunks) {
      if (chunk.length > skip) yield chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
    }
  }
  const onRest = (bytes: number) => {
    if (bytes > maxBytes) throw sizeError(url, maxBytes);
  };
  for await (const lines of splitLines(rest(), onRest)) {
    const complete = lines.filter(hasLineFeed);
    if (complete.length > 0) yield complete;
    const [cut] = lines.slice(complete.length);
    if (cut) throw cutError(url, cut.length);
  }
}
