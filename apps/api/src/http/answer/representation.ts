import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { encodeChunks } from '../../edition/chunks.ts';
import type { OpenEdition } from '../../edition/follow-editions.ts';
import type { VirtualFile } from '../../virtual-file.ts';
import type { Answer } from '../contract/route.ts';
import type { Coding } from '../request/accept.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import { encodeBody } from './content-coding.ts';
import {
  COMMON_HEADERS,
  createContentSecurityPolicy,
  linkHeader,
  originHeaders,
  PREVIEW_HEADERS,
} from './headers.ts';

/** The settings for response headers. */
export type AnswerHeadersConfig = Pick<Config, 'baseUrl' | 'cacheControl' | 'pinnedCacheControl'>;

/**
 * How long a response may be cached: until the next edition is served; as long as its edition is kept; or for ever, because
 * its address has a hash of its content.
 */
export type Lifetime = 'served' | 'pinned' | 'hashed';

/** A year, the longest that caches keep a response. */
const HASHED_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Creates the headers of successful responses. */
export interface AnswerHeaders {
  /** The metadata of a representation before it is generated; `version` and URL determine its bytes. */
  describe(
    request: EndpointRequest,
    open: OpenEdition | undefined,
    version: string,
    publishedAt: Date | undefined,
    lifetime: Lifetime,
  ): Metadata;
  /** The headers that belong to the body. */
  ofBody(answer: Answer, coding: Coding): Headers;
}

/**
 * @param config the base of links, and Cache-Control for responses from the served and from a named edition
 * @param software version of the program, which is part of the ETag because rendering may change
 */
export function createAnswerHeaders(
  { baseUrl, cacheControl, pinnedCacheControl }: AnswerHeadersConfig,
  software: string,
): AnswerHeaders {
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  const cacheControlOf: Readonly<Record<Lifetime, string>> = {
    served: cacheControl,
    pinned: pinnedCacheControl,
    hashed: HASHED_CACHE_CONTROL,
  };
  return {
    describe({ language, url, coding }, open, version, publishedAt, lifetime) {
      const etag = createEtag([version, software, url], coding);
      const lastModified = publishedAt?.toUTCString();
      const headers = {
        ...COMMON_HEADERS,
        ...originHeaders(language, open),
        ETag: etag,
        ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
        'Cache-Control': cacheControlOf[lifetime],
        ...(open?.edition.isHeld && PREVIEW_HEADERS),
      };
      return { etag, lastModified, coding, headers };
    },
    ofBody: ({ contentType, links = {} }, coding) => ({
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      // Browsers ignore the sandbox for PDF, or refuse to show it; so it is downloaded.
      ...(contentType === 'application/pdf' && { 'Content-Disposition': 'attachment' }),
      Link: linkHeader(links, baseUrl),
    }),
  };
}

/** Validators for conditional requests. */
interface Validators {
  /** Strong: equal tags mean equal bytes. */
  etag: string;
  /** HTTP-date; undefined if unknown. */
  lastModified: string | undefined;
}

/** A strong ETag of the facts that determine a response, and its content coding. */
function createEtag(facts: readonly string[], coding: string): string {
  return `"${hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 27)}-${coding}"`;
}

/**
 * Whether `If-None-Match` contains the ETag. If it does, the resource exists, because its tag was sent before. `*` is left to
 * `isNotModified`. The comparison is weak (RFC 9110, section 13.1.2), because caches weaken tags.
 */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (!ifNoneMatch.includes(etag)) return false;
  return [...ifNoneMatch.matchAll(/(?:^|[\s,])(?:W\/)?("[^"]*")(?=[\s,]|$)/g)].some(
    ([, tag]) => tag === etag,
  );
}

/**
 * Whether the client has the current representation of an existing resource (RFC 9110, section 13.2.2).
 * `If-Modified-Since` is used only without `If-None-Match`, and compared for equality: after a rollback, the served edition
 * is older than the one before.
 */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || namesTag(tags, etag);
  const since = headers['if-modified-since'];
  return since !== undefined && lastModified !== undefined && Date.parse(since) === Date.parse(lastModified);
}

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** The metadata of a representation before its body is generated. */
export interface Metadata extends Validators {
  coding: Coding;
  headers: Headers;
}

/** A response as sent: complete in memory, as a stream of parts, or a file. */
export type Representation = WholeBody | LargeBody | FileBody;

/** A body in one buffer, which can be cached. */
export interface WholeBody extends Validators {
  bodyHeaders: Headers;
  body: Buffer;
  /** The headers of a 200 and of a 304: a flat array, as `writeHead` takes it. */
  rawHeaders: Readonly<Record<200 | 304, readonly string[]>>;
  /** Memory, in bytes. */
  byteLength: number;
}

/** A body that is too large to cache, and compressed as a stream. */
interface LargeBody {
  bodyHeaders: Headers;
  parts: readonly Buffer[];
  length: number;
}

/** A file, which supports range requests. */
interface FileBody {
  bodyHeaders: Headers;
  file: VirtualFile;
}

/** Size above which a body is large. */
const LARGE_BYTES = 4 * 2 ** 20;

/** Memory of a cached body besides its bytes. */
const OVERHEAD_BYTES = 4_096;

/** Encodes a response into the representation that is sent. */
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
