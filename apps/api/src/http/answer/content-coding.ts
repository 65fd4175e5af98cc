import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from '../request/accept.ts';

/** Levels at which compressing a page takes about as long as generating it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The functions of one coding. */
interface Compression {
  /** In this thread. */
  now: (body: Buffer) => Buffer;
  /** In another thread. */
  apart: (body: Buffer) => Promise<Buffer>;
  stream: () => Transform;
}

const [brotliApart, gzipApart, zstdApart] = [
  promisify(brotliCompress),
  promisify(gzip),
  promisify(zstdCompress),
];

const COMPRESSIONS: Record<Exclude<Coding, 'identity'>, Compression> = {
  br: {
    now: (body) => brotliCompressSync(body, BROTLI),
    apart: (body) => brotliApart(body, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: {
    now: (body) => gzipSync(body, GZIP),
    apart: (body) => gzipApart(body, GZIP),
    stream: () => createGzip(GZIP),
  },
  zstd: {
    now: (body) => zstdCompressSync(body, ZSTD),
    apart: (body) => zstdApart(body, ZSTD),
    stream: () => createZstdCompress(ZSTD),
  },
};

/** Up to this size, transferring a body to another thread takes longer than compressing it (0.1 to 0.3 ms). */
const SMALL_BODY = 64 * 1024;

/** Compresses a body. */
export async function encodeBody(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  const { now, apart } = COMPRESSIONS[coding];
  return body.length <= SMALL_BODY ? now(body) : apart(body);
}

/** Compresses chunks as a stream. When the stream is destroyed, no more chunks are read. */
export function encodeStream(body: Iterable<Buffer> | AsyncIterable<Buffer>, coding: Coding): Readable {
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
