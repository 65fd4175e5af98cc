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

/** The settings that headers follow. */
export type AnswerHeadersConfig = Pick<Config, 'baseUrl' | 'cacheControl' | 'pinnedCacheControl'>;

/** The headers of successful answers. */
export interface AnswerHeaders {
  /** What is known of a representation before it is made; `version` and its URL determine its bytes. */
  describe(
    request: EndpointRequest,
    open: OpenEdition | undefined,
    version: string,
    publishedAt: Date | undefined,
    isImmutable: boolean,
  ): Metadata;
  /** The headers that come with the body. */
  ofBody(answer: Answer, coding: Coding): Headers;
}

/**
 * @param config what links begin with, and what caches are told: of answers to requests that name an edition, too, which
 *   never change but by the program
 * @param software the version of the program: another one may render answers otherwise
 */
export function createAnswerHeaders(
  { baseUrl, cacheControl, pinnedCacheControl }: AnswerHeadersConfig,
  software: string,
): AnswerHeaders {
  const contentSecurityPolicy = createContentSecurityPolicy(baseUrl);
  return {
    describe({ language, url, coding }, open, version, publishedAt, isImmutable) {
      const etag = createEtag([version, software, url], coding);
      const lastModified = publishedAt?.toUTCString();
      const headers = {
        ...COMMON_HEADERS,
        ...originHeaders(language, open),
        ETag: etag,
        ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
        'Cache-Control': isImmutable ? pinnedCacheControl : cacheControl,
        ...(open?.edition.isHeld && PREVIEW_HEADERS),
      };
      return { etag, lastModified, coding, headers };
    },
    ofBody: ({ contentType, links = {} }, coding) => ({
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      'Content-Security-Policy': contentSecurityPolicy(contentType),
      // A browser that shows PDF does so outside of the sandbox that its policy asks for, or not at all.
      ...(contentType === 'application/pdf' && { 'Content-Disposition': 'attachment' }),
      Link: linkHeader(links, baseUrl),
    }),
  };
}

/** By what a client tells whether the answer that it holds is the one that it would get. */
interface Validators {
  /** Strong: the same tag, the same bytes. */
  etag: string;
  /** HTTP-date; undefined where there is no knowing. */
  lastModified: string | undefined;
}

/** The strong ETag of the answer that `facts` determine, in a content coding. */
function createEtag(facts: readonly string[], coding: string): string {
  return `"${hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 27)}-${coding}"`;
}

/**
 * Whether `If-None-Match` names the tag: nobody holds a tag that was not given out, so the answer to it exists. `*`
 * names none; see `isNotModified`. Compares weakly, as RFC 9110 has it (section 13.1.2): caches weaken tags.
 */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (!ifNoneMatch.includes(etag)) return false;
  return [...ifNoneMatch.matchAll(/(?:^|[\s,])(?:W\/)?("[^"]*")(?=[\s,]|$)/g)].some(
    ([, tag]) => tag === etag,
  );
}

/**
 * Whether the client holds the answer to a request, which must be one that exists (RFC 9110, section 13.2.2).
 * `If-Modified-Since` is heeded without `If-None-Match` only, and only where it is the very date that is served: after
 * a roll-back the edition served is older than one that was served before.
 */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || namesTag(tags, etag);
  const since = headers['if-modified-since'];
  return since !== undefined && lastModified !== undefined && Date.parse(since) === Date.parse(lastModified);
}

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
interface LargeBody {
  bodyHeaders: Headers;
  parts: readonly Buffer[];
  length: number;
}

/** A file, of which a part may be wanted. */
interface FileBody {
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
