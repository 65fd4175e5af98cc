import { encodeChunks } from '../../read/encode-chunks.ts';
import type { VirtualFile } from '../../read/virtual-file.ts';
import type { Answer } from '../routes/route.ts';
import type { Validators } from './conditions.ts';
import { type Coding, encodeBody } from './content-coding.ts';

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** What is known of a representation before its body is made. */
export interface Metadata extends Validators {
  coding: Coding;
  headers: Headers;
}

/** An answer as it goes over the wire: whole, in parts that are sent as fast as the client takes them, or a file. */
export type Representation = WholeBody | LargeBody | FileBody;

/** A body in one piece: what the body cache keeps. */
export interface WholeBody extends Validators {
  bodyHeaders: Headers;
  body: Buffer;
  /** The headers of a 200 and of a 304 as Node writes them without more ado: names and values by turns. */
  rawHeaders: Readonly<Record<200 | 304, readonly string[]>>;
  /** Memory that it takes. */
  byteLength: number;
}

/** A body too large to be kept, or compressed at once. */
export interface LargeBody {
  bodyHeaders: Headers;
  parts: readonly Buffer[];
  length: number;
}

/** A file, of which a part may be wanted. */
export interface FileBody {
  bodyHeaders: Headers;
  file: VirtualFile;
}

/** A body of more bytes than this is large. */
const LARGE_BYTES = 4 * 2 ** 20;

/** What a whole body takes in memory beside its bytes. */
const OVERHEAD_BYTES = 4_096;

/** Puts an answer into the form in which it goes over the wire. */
export async function encodeAnswer(
  { body }: Answer,
  bodyHeaders: Headers,
  { etag, lastModified, coding, headers }: Metadata,
): Promise<Representation> {
  if ('read' in body) return { bodyHeaders, file: body };
  const parts = encodeChunks(body);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > LARGE_BYTES) return { bodyHeaders, parts, length };
  const [only = Buffer.concat(parts)] = parts.length === 1 ? parts : [];
  const encoded = await encodeBody(only, coding);
  const all = { ...headers, ...bodyHeaders, 'Content-Length': String(encoded.length) };
  return {
    etag,
    lastModified,
    bodyHeaders,
    body: encoded,
    rawHeaders: { 200: Object.entries(all).flat(), 304: Object.entries(headers).flat() },
    byteLength: encoded.length + OVERHEAD_BYTES,
  };
}
