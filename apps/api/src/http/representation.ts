import { encodeChunks } from '../archive/encode-chunks.ts';
import type { VirtualFile } from '../archive/virtual-file.ts';
import type { Validators } from './conditions.ts';
import { type Coding, encodeBody } from './content-coding.ts';
import type { Answer } from './routes/route.ts';

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** An answer as it goes over the wire: whole, in parts that are sent as fast as the client takes them, or a file. */
export type Made = Representation | LargeBody | FileBody;

/** An answer whole: what the body cache keeps. */
export interface Representation extends Validators {
  bodyHeaders: Headers;
  body: Buffer;
  /** The headers of a 200 and of a 304 as Node writes them without more ado: names and values by turns. */
  written: Readonly<Record<200 | 304, readonly string[]>>;
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

/** What a representation takes in memory beside its body. */
const OVERHEAD_BYTES = 4_096;

/** What is known of an answer before it is made. */
export interface Expected extends Validators {
  coding: Coding;
  headers: Headers;
}

/** An answer as it goes over the wire. */
export async function makeRepresentation(
  { body }: Answer,
  bodyHeaders: Headers,
  { etag, lastModified, coding, headers }: Expected,
): Promise<Made> {
  if ('read' in body) return { bodyHeaders, file: body };
  const parts = encodeChunks(body);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > LARGE_BYTES) return { bodyHeaders, parts, length };
  const encoded = await encodeBody(Buffer.concat(parts), coding);
  const all = { ...headers, ...bodyHeaders, 'Content-Length': String(encoded.length) };
  return {
    etag,
    lastModified,
    bodyHeaders,
    body: encoded,
    written: { 200: Object.entries(all).flat(), 304: Object.entries(headers).flat() },
    byteLength: encoded.length + OVERHEAD_BYTES,
  };
}
