import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ByteLru } from '../../byte-lru.ts';
import type { EditionsInUse, OpenEdition } from '../../edition/follow-editions.ts';
import type { Coding } from '../request/accept.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import { endInPieces } from './end-in-pieces.ts';
import { isNotModified, type WholeBody } from './representation.ts';
import type { Trace } from './trace.ts';

/** Request targets whose one form is remembered … */
const KNOWN_TARGETS = 20_000;
/** … of this length at most, in characters: with the above, some megabytes. */
const LONGEST_TARGET = 300;

/** What a request target comes down to. */
type Resource = Pick<EndpointRequest, 'url' | 'edition' | 'route'>;

/**
 * Representations kept in memory, by edition, content coding and canonical URL: a new edition has new keys, and what
 * nobody asks for any more makes room. Beside them, what each request target comes down to, so that a target seen
 * before needs no parsing.
 */
export class BodyCache {
  readonly #bodies: ByteLru<WholeBody>;
  readonly #resources = new LRUCache<string, Resource>({ max: KNOWN_TARGETS });
  readonly #editions: Pick<EditionsInUse, 'current' | 'inUse'>;

  /** @param bytes memory that the bodies may take together */
  constructor(editions: Pick<EditionsInUse, 'current' | 'inUse'>, bytes: number) {
    this.#editions = editions;
    this.#bodies = new ByteLru(bytes);
  }

  get(open: OpenEdition | undefined, coding: Coding, url: string): WholeBody | undefined {
    return this.#bodies.find(keyOf(open, coding, url));
  }

  /** The representation for a request target as it stands; undefined unless both were kept. */
  getByTarget(target: string, coding: Coding): WholeBody | undefined {
    const resource = this.#resources.get(target);
    if (!resource) return undefined;
    if (resource.edition === undefined) return this.get(this.#editions.current(), coding, resource.url);
    const open = this.#editions.inUse(resource.edition);
    return open && this.get(open, coding, resource.url);
  }

  /** Which endpoint and edition a request target is for, where that is remembered. */
  describeTarget(target: string): { route: string; edition: number | undefined } {
    const { route = '', edition: named } = this.#resources.get(target) ?? {};
    const open = named === undefined ? this.#editions.current() : this.#editions.inUse(named);
    return { route, edition: open?.edition.id };
  }

  /** Memory that the bodies take, in bytes. */
  get bytes(): number {
    return this.#bodies.byteLength;
  }

  set(open: OpenEdition | undefined, coding: Coding, url: string, body: WholeBody): void {
    this.#bodies.keep(keyOf(open, coding, url), body);
  }

  /** Drops the bodies of an edition that nobody asks for any more. */
  forget({ key }: Pick<OpenEdition['edition'], 'key'>): void {
    this.#bodies.dropAll(`${key} `);
  }

  /** Remembers what a request target comes down to. */
  rememberTarget(target: string, { url, edition, route }: Resource): void {
    if (target.length <= LONGEST_TARGET) this.#resources.set(target, { url, edition, route });
  }
}

/** Answers of the program itself, such as the documentation, name the edition too: before the first, there is none. */
function keyOf(open: OpenEdition | undefined, coding: Coding, url: string): string {
  return `${open?.edition.key ?? ''} ${coding} ${url}`;
}

/**
 * Answers from memory what is there, before Koa: its routing and middleware would cost more than the answer. What this
 * leaves alone (other methods, parts, strict handling, and whatever is not in memory) Koa answers, with the same
 * headers.
 *
 * @returns whether the request was answered
 */
export function createHotAnswer(cache: BodyCache, chooseCoding: (header: string | undefined) => Coding) {
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
