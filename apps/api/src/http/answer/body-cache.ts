import { LRUCache } from 'lru-cache';
import { ByteLru } from '../../byte-lru.ts';
import type { EditionsInUse, OpenEdition } from '../../read/follow-editions.ts';
import type { EndpointRequest } from '../request/read-request.ts';
import type { Coding } from './content-coding.ts';
import type { WholeBody } from './representation.ts';

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
