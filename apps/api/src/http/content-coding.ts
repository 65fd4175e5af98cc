import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** How a body can be sent, most wanted first where the client does not mind. */
export const CODINGS = ['br', 'gzip', 'zstd', 'identity'] as const;

/** A content coding (RFC 9110, section 8.4). */
export type Coding = (typeof CODINGS)[number];

/** Different `Accept-Encoding` headers whose reading is kept: browsers send a handful. */
const READ_HEADERS = 1_000;

/** Levels at which a page is compressed in about the time that it takes to put together. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const GZIP = { level: 6 };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const COMPRESS: Record<Exclude<Coding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body, GZIP),
  zstd: (body) => promisify(zstdCompress)(body, ZSTD),
};

const COMPRESSOR: Record<Exclude<Coding, 'identity'>, () => Transform> = {
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
  zstd: () => createZstdCompress(ZSTD),
};

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
  return coding === 'identity' ? body : await COMPRESS[coding](body);
}

/** The stream in a coding; when either end breaks, both are ended. */
export function encodeStream(body: Readable, coding: Coding): Readable {
  if (coding === 'identity') return body;
  // Koa destroys the stream that it is given, and reports its errors.
  return pipeline(body, COMPRESSOR[coding](), () => {});
}
