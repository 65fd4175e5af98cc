import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
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
import Negotiator from 'negotiator';

/**
 * How a body can be sent, most wanted first where the client does not mind. Measured on the levels below: zstd
 * makes a page of persons as small as brotli in less time; a page of events, in which places repeat over long
 * distances, it makes as small in a quarter of the time, where gzip takes ten times as long for six times the size.
 */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Different `Accept-Encoding` headers whose reading is kept: browsers send a handful. */
const READ_HEADERS = 1_000;

/** Levels at which a page is compressed in about the time that it takes to put together. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The ways to compress with one coding. */
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

/** Up to this many bytes, handing a body to another thread takes longer than to compress it: 0.1 to 0.3 ms. */
const SMALL_BODY = 64 * 1024;

/**
 * Makes what chooses the coding of an answer by the weights of `Accept-Encoding`. A client that takes none of the
 * codings is sent the body as it is, as RFC 9110 has it.
 */
export function createCodingChoice(): (acceptEncoding: string | undefined) => Coding {
  const read = new Map<string, Coding>();
  return (header) => {
    if (!header) return 'identity';
    const known = read.get(header);
    if (known) return known;
    const [best] = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(CODINGS, {
      preferred: CODINGS,
    });
    const coding = CODINGS.find((each) => each === best) ?? 'identity';
    if (read.size >= READ_HEADERS) read.clear();
    read.set(header, coding);
    return coding;
  };
}

/** The body in a coding. */
export async function encodeBody(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return body;
  const { now, apart } = COMPRESSIONS[coding];
  return body.length <= SMALL_BODY ? now(body) : apart(body);
}

/** The stream in a coding; when either end breaks, both are ended. */
export function encodeStream(body: Readable, coding: Coding): Readable {
  if (coding === 'identity') return body;
  // Koa destroys the stream that it is given, and reports its errors.
  return pipeline(body, COMPRESSIONS[coding].stream(), () => {});
}
