import type { IncomingMessage, ServerResponse } from 'node:http';
import { byteLengthOf, type Cache, type Caches } from '../../cache.ts';
import type { EditionsInUse, OpenEdition } from '../../edition/follow-editions.ts';
import type { Coding } from '../request/accept.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import { endInPieces } from './end-in-pieces.ts';
import { isNotModified, type WholeBody } from './representation.ts';
import type { Trace } from './trace.ts';

/** Longest request target to cache, in characters. */
const LONGEST_TARGET = 300;

/** Memory of a cached target in bytes, besides its characters. */
const TARGET_BYTES = 256;

/** The resource that a request target is resolved to. */
type Resource = Pick<EndpointRequest, 'url' | 'edition' | 'route'>;

/**
 * Caches representations by edition, content coding and canonical URL; a new edition has new keys, and least recently
 * used entries are evicted. Also caches which resource a request target is resolved to, so that it is parsed only once.
 */
export class BodyCache {
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

  /** The representation for an unparsed request target; undefined unless both are cached. */
  getByTarget(target: string, coding: Coding): WholeBody | undefined {
    const resource = this.#resources.find(target);
    if (!resource) return undefined;
    if (resource.edition === undefined) return this.get(this.#editions.current(), coding, resource.url);
    const open = this.#editions.inUse(resource.edition);
    return open && this.get(open, coding, resource.url);
  }

  /** The endpoint and edition of a request target, if cached. */
  describeTarget(target: string): { route: string; edition: number | undefined } {
    const { route = '', edition: named } = this.#resources.find(target) ?? {};
    const open = named === undefined ? this.#editions.current() : this.#editions.inUse(named);
    return { route, edition: open?.edition.id };
  }

  set(open: OpenEdition | undefined, coding: Coding, url: string, body: WholeBody): void {
    this.#bodies.keep(keyOf(open, coding, url), body);
  }

  /** Caches the resource of a request target. */
  rememberTarget(target: string, { url, edition, route }: Resource): void {
    if (target.length <= LONGEST_TARGET) this.#resources.keep(target, { url, edition, route });
  }
}

/** Standalone responses are keyed by edition too: before the first is published, the key is empty. */
function keyOf(open: OpenEdition | undefined, coding: Coding, url: string): string {
  return `${open?.edition.key ?? ''} ${coding} ${url}`;
}

/**
 * Responds from the cache without Koa, whose routing and middleware would cost more than the response. Other methods,
 * ranges, strict handling and uncached resources are left to Koa, which sends the same headers.
 *
 * @returns whether a response was sent
 */
export function createCachedResponder(
  cache: BodyCache,
  chooseCoding: (header: string | undefined) => Coding,
) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    trace: Trace | undefined,
  ): boolean => {
    const { method, headers, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (headers.range !== undefined || headers['prefer'] !== undefined) return false;
    const coding = chooseCoding(headers['accept-encoding']?.toString());
    const found = cache.getByTarget(url, coding);
    if (!found) return false;
    const status = isNotModified(headers, found) ? 304 : 200;
    if (trace) {
      Object.assign(trace, cache.describeTarget(url), { cache: status === 304 ? 'not-modified' : 'hit' });
    }
    response.writeHead(status, [...found.rawHeaders[status], 'X-Request-Id', requestId]);
    if (status === 200 && method === 'GET') endInPieces(response, found.body);
    else response.end();
    return true;
  };
}
