import type { IncomingMessage, ServerResponse } from 'node:http';
import { byteLengthOf, type Cache, type Caches } from '../cache.ts';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import type { OpenEdition } from '../edition/open-editions.ts';
import type { EditionSelector } from '../storage/edition.ts';
import { conditionalStatus, LINKED_DATA, type Validators } from './headers.ts';
import type { Coding } from './send.ts';
import type { Trace } from './trace.ts';

/** Longest request target to cache, in characters. */
const LONGEST_TARGET = 300;

/** Memory of a cached target in bytes, besides its characters. */
const TARGET_BYTES = 256;

/** A body in one buffer, with its headers. */
export interface WholeBody extends Validators {
  body: Buffer;
  /** The headers of a 200 and of a 304: a flat array, as `writeHead` takes it. */
  rawHeaders: Readonly<Record<200 | 304, readonly string[]>>;
  /** Memory, in bytes. */
  byteLength: number;
}

/** The resource that a request target is resolved to. */
export interface Resource {
  /** Canonical URL: equal for requests with the same response. */
  url: string;
  /** The requested edition; undefined for the served one. */
  edition: EditionSelector | undefined;
  /** Path pattern of the endpoint, with `:name` for a segment. */
  route: string;
}

/**
 * Caches representations by edition, content coding and canonical URL; a new edition has new keys, and least recently
 * used entries are evicted. Also caches which resource a request target is resolved to, so that it is parsed only once.
 */
export class HotCache {
  readonly #bodies: Cache<WholeBody>;
  readonly #resources: Cache<Resource>;
  readonly #editions: Pick<EditionsInUse, 'current' | 'inUse'>;

  constructor(editions: Pick<EditionsInUse, 'current' | 'inUse'>, caches: Caches) {
    this.#editions = editions;
    this.#bodies = caches.open<WholeBody>('answers', byteLengthOf);
    this.#resources = caches.open('targets', ({ url }, target) => url.length + target.length + TARGET_BYTES);
  }

  get(open: OpenEdition | undefined, coding: Coding, url: string): WholeBody | undefined {
    return this.#bodies.find(keyOf(open, coding, url));
  }

  set(open: OpenEdition | undefined, coding: Coding, url: string, body: WholeBody): void {
    this.#bodies.keep(keyOf(open, coding, url), body);
  }

  rememberTarget(target: string, resource: Resource): void {
    if (target.length <= LONGEST_TARGET) this.#resources.keep(target, resource);
  }

  /**
   * Responds from the cache without Koa, whose routing and middleware would cost more than the response. Other methods,
   * ranges, linked data, failed preconditions and uncached resources are left to Koa, which sends the same headers.
   *
   * @returns whether a response was sent
   */
  respond(
    request: IncomingMessage,
    response: ServerResponse,
    coding: Coding,
    requestId: string,
    trace: Trace | undefined,
  ): boolean {
    const { method, headers, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || headers.range !== undefined) return false;
    if (LINKED_DATA.test(headers.accept ?? '')) return false;
    const resource = this.#resources.find(url);
    if (!resource) return false;
    const { edition: named, route } = resource;
    const open = named === undefined ? this.#editions.current() : this.#editions.inUse(named);
    if (!open && named !== undefined) return false;
    const found = this.get(open, coding, resource.url);
    if (!found) return false;
    const status = conditionalStatus(headers, found);
    if (status === 412) return false;
    if (trace) {
      const cache = status === 304 ? 'not-modified' : 'hit';
      Object.assign(trace, { route, edition: open?.edition.id, cache });
    }
    sendWhole(request, response, found, requestId, status);
    return true;
  }
}

/** Sends a body, or a 304, past Koa, which would set each header on its own; of HEAD, the headers only. */
export function sendWhole(
  { method }: IncomingMessage,
  response: ServerResponse,
  { rawHeaders, body }: WholeBody,
  requestId: string,
  status: 200 | 304 = 200,
): void {
  response.writeHead(status, [...rawHeaders[status], 'X-Request-Id', requestId]);
  response.end(status === 200 && method !== 'HEAD' ? body : undefined);
}

/** Responses that need no edition are keyed by edition too: before the first is published, the key is empty. */
function keyOf(open: OpenEdition | undefined, coding: Coding, url: string): string {
  return `${open?.edition.key ?? ''} ${coding} ${url}`;
}
