import { hasLineFeed, splitLines } from '@archiefkast/system/split-lines';
import { cutError, type RequestError, responseError, sizeError } from '../errors.ts';

/** A request for lines. */
export interface LineQuestion {
  url: string;
  /** Offset of the line to begin at, in bytes after decompression; 0 by default. */
  from?: number;
  /**
   * Returns the error of a response that ends at an offset in bytes; undefined if it is complete. Without this function, reading
   * does not resume.
   */
  shortfall?: (end: number) => RequestError | undefined;
  /** Maximum size of a line; overrides the option. */
  maxBytes?: number;
  /** Aborts the request; overrides the option. */
  signal?: AbortSignal;
}

/** Sends the request with additional headers; yields the chunks of the response. */
type Send = (
  headers: Record<string, string>,
  onResponse: (response: Response) => void,
) => AsyncIterable<Uint8Array>;

/**
 * Reads the complete lines of a response from an offset, in batches, with their line feeds. A server without range requests
 * sends everything, and the beginning is skipped.
 *
 * @throws RequestError, also if the last line is not complete; or the signal's reason
 */
export async function* linesFrom(
  send: Send,
  { url, from, maxBytes }: Required<Pick<LineQuestion, 'url' | 'from' | 'maxBytes'>>,
): AsyncGenerator<Uint8Array[], void, void> {
  // A range applies to the bytes as sent, so they must not be compressed.
  const range = { range: `bytes=${from}-`, 'accept-encoding': 'identity' };
  let skip = from;
  const chunks = send(from > 0 ? range : {}, ({ status, headers }) => {
    if (status !== 206) return;
    const got = headers.get('content-range') ?? '';
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
