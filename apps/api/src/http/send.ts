import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import Negotiator from 'negotiator';
import type { Caches } from '../cache.ts';
import type { VirtualFile } from '../edition/dumps.ts';
import { Problem } from './problems.ts';
import type { Redirect } from './route.ts';
import { ClientAborted } from './shared-work.ts';

/**
 * The supported content codings, in order of preference. As measured: zstd compresses a page of persons to the size of
 * brotli in less time, and a page of events, in which locations repeat over long distances, in a quarter of the time;
 * gzip takes ten times as long there, for six times the size.
 */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Memory of a cached choice, in bytes, besides the header. */
const READING_BYTES = 128;

/**
 * Returns a function that selects the coding of a response by the weights of `Accept-Encoding`: identity if the client
 * accepts none of the codings (RFC 9110, section 12.5.3).
 */
export function createCodingChoice(caches: Caches): (acceptEncoding: string | undefined) => Coding {
  // Clients send only a few distinct headers.
  const read = caches.open<Coding>('codings', (_coding, header) => header.length + READING_BYTES);
  return (header) => (header ? read.get(header, () => chooseCoding(header)) : 'identity');
}

function chooseCoding(header: string): Coding {
  const named = header.toLowerCase().split(/[\s,;]+/);
  // Those that the client names, and gzip, which every client that sends `*` supports.
  const known = CODINGS.filter((each) => each === 'gzip' || each === 'identity' || named.includes(each));
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [best] = negotiator.encodings(known, { preferred: known });
  return CODINGS.find((each) => each === best) ?? 'identity';
}

/** Levels at which compressing a page takes about as long as generating it. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } };

const COMPRESSIONS = {
  br: compression(BROTLI, zlib.brotliCompressSync, promisify(zlib.brotliCompress), zlib.createBrotliCompress),
  gzip: compression(GZIP, zlib.gzipSync, promisify(zlib.gzip), zlib.createGzip),
  zstd: compression(ZSTD, zlib.zstdCompressSync, promisify(zlib.zstdCompress), zlib.createZstdCompress),
};

/** The functions of one coding: in this thread, in another one, and as a stream. */
function compression<Options>(
  options: Options,
  now: (body: Buffer, options: Options) => Buffer,
  apart: (body: Buffer, options: Options) => Promise<Buffer>,
  stream: (options: Options) => Transform,
) {
  return {
    now: (body: Buffer) => now(body, options),
    apart: (body: Buffer) => apart(body, options),
    stream: () => stream(options),
  };
}

/** Up to this size, transferring a body to another thread takes longer than compressing it (0.1 to 0.3 ms). */
const SMALL_BODY = 64 * 1024;

/** Compresses a body. */
export async function encodeBody(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  const { now, apart } = COMPRESSIONS[coding];
  return body.length <= SMALL_BODY ? now(body) : apart(body);
}

/** Compresses chunks as a stream. When the stream is destroyed, no more chunks are read. */
function encodeStream(body: Iterable<Buffer> | AsyncIterable<Buffer>, coding: Coding): Readable {
  if (coding === 'identity') return Readable.from(body, { objectMode: false });
  const compressor = COMPRESSIONS[coding].stream();
  void feed(body, compressor);
  return compressor;
}

/**
 * Waits for each chunk before the next one or the end: zstd writes other bytes if the last chunk and the end arrive
 * together, and the same body must always have the same bytes.
 */
async function feed(body: Iterable<Buffer> | AsyncIterable<Buffer>, compressor: Transform): Promise<void> {
  const write = promisify<Buffer, void>((chunk, done) => compressor.write(chunk, done));
  try {
    for await (const chunk of body) if (chunk.length > 0) await write(chunk);
    compressor.end();
  } catch (error) {
    // Koa destroys the stream of the body, and reports its errors.
    compressor.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * Streams a file, or the requested range of it (RFC 9110, section 14) if its size is known. Ranges are of the uncompressed
 * bytes; a compressed file is sent whole.
 *
 * @param ranges whether the file has ranges at all, and whether this request may have one
 * @throws Problem if the range starts past the end
 */
export async function sendFile(
  context: ParameterizedContext,
  file: VirtualFile,
  coding: Coding,
  { hasRanges, hasRange }: { hasRanges?: boolean; hasRange?: boolean | undefined } = {},
): Promise<void> {
  if (hasRanges) context.set('Accept-Ranges', 'bytes');
  if (coding !== 'identity') {
    await sendStream(context, file.read(), coding);
    return;
  }
  const { size } = file;
  const isRange = hasRange && context.method === 'GET';
  const range = isRange && size !== undefined ? parseByteRange(context.get('Range'), size) : undefined;
  if (range === 'beyond') {
    context.set('Content-Range', `bytes */${size}`);
    throw new Problem(
      'invalid-range',
      'The range starts past the end of the file.',
      `a range within the ${size} bytes of the file`,
    );
  }
  const { start, end } = range ?? { start: 0, end: size };
  await sendStream(context, file.read(start, end), 'identity');
  if (end !== undefined) context.length = end - start;
  if (range) {
    context.status = 206;
    context.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${size}`);
  }
}

/** A body failed after its status had been sent, so the response is cut off; see `cause`. */
export class ResponseCutOff extends Error {
  override name = 'ResponseCutOff';
}

/**
 * Sends a body as a stream. The status is sent when the first bytes are ready, so that a failure before is an error
 * response; a later one cuts the response off, which clients notice. HEAD generates nothing.
 *
 * @throws the errors of the body, until its first bytes are ready
 */
async function sendStream(
  context: ParameterizedContext,
  body: AsyncIterable<Buffer>,
  coding: Coding,
): Promise<void> {
  if (context.method === 'HEAD') return;
  let isReady = false;
  async function* watch(): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      throw isReady ? new ResponseCutOff('a response was cut off', { cause: error }) : error;
    }
  }
  const stream = encodeStream(watch(), coding);
  await once(stream, 'readable');
  isReady = true;
  context.body = stream;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes.
 *
 * @returns the range, without its end; `beyond` if it starts past the end; undefined if the header is ignored: other
 *   units, several ranges, or an invalid range
 */
function parseByteRange(header: string, size: number): { start: number; end: number } | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  const isSuffix = first === '';
  if ((isSuffix && last === '') || (!isSuffix && last !== '' && Number(last) < Number(first)))
    return undefined;
  const start = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
  const end = isSuffix || last === '' ? size : Math.min(Number(last) + 1, size);
  return start >= size ? 'beyond' : { start, end };
}

/** A signal that aborts when the client closes the connection before the end of the response. */
export function clientAbort({ res }: ParameterizedContext): AbortSignal {
  const controller = new AbortController();
  whenClosed(res, () => {
    if (!res.writableFinished) controller.abort(new ClientAborted());
  });
  return controller.signal;
}

/** Calls `listener` when the response has been sent or its client has left; at once if that was before. */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}

/** Sends a redirect. */
export function sendRedirect(context: ParameterizedContext, { location, status = 302 }: Redirect): void {
  context.status = status;
  context.set({ Location: location, 'Content-Type': 'application/json' });
  // The next edition may have the record again that another one has replaced.
  if (status === 301) context.set('Cache-Control', 'no-store');
  context.body = JSON.stringify({ location });
}
