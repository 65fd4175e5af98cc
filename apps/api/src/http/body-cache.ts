import type { EditionsInUse, OpenEdition } from '../archive/editions-in-use.ts';
import { ByteLru } from '../byte-lru.ts';
import type { Coding } from './content-coding.ts';
import type { Asked } from './read-request.ts';
import type { Representation } from './representation.ts';

/** Request targets whose one form is remembered … */
const KNOWN_TARGETS = 20_000;
/** … of this length at most, in characters: with the above, some megabytes. */
const LONGEST_TARGET = 300;

type Target = Pick<Asked, 'url' | 'edition'>;

/**
 * Answers kept in memory, by edition, content coding and canonical URL: a new edition has new keys, and what nobody
 * asks for any more makes room. Beside them, what each request target comes down to, so that a target seen before needs
 * no parsing.
 */
export class BodyCache {
  readonly #answers: ByteLru<Representation>;
  readonly #targets = new Map<string, Target>();
  readonly #editions: Pick<EditionsInUse, 'current' | 'inUse'>;

  /** @param bytes memory that the answers may take together */
  constructor(editions: Pick<EditionsInUse, 'current' | 'inUse'>, bytes: number) {
    this.#editions = editions;
    this.#answers = new ByteLru(bytes);
  }

  find(open: OpenEdition | undefined, coding: Coding, url: string): Representation | undefined {
    return this.#answers.find(keyOf(open, coding, url));
  }

  /** The answer to a request target as it stands; undefined unless both were kept. */
  findByTarget(target: string, coding: Coding): Representation | undefined {
    const known = this.#targets.get(target);
    if (!known) return undefined;
    if (known.edition === undefined) return this.find(this.#editions.current(), coding, known.url);
    const open = this.#editions.inUse(known.edition);
    return open && this.find(open, coding, known.url);
  }

  keep(open: OpenEdition | undefined, coding: Coding, url: string, answer: Representation): void {
    this.#answers.keep(keyOf(open, coding, url), answer);
  }

  /** Remembers what a request target comes down to. */
  know(target: string, { url, edition }: Target): void {
    if (target.length > LONGEST_TARGET) return;
    if (this.#targets.size >= KNOWN_TARGETS) this.#targets.clear();
    this.#targets.set(target, { url, edition });
  }
}

/** Answers of the program itself, such as the documentation, name the edition too: before the first, there is none. */
function keyOf(open: OpenEdition | undefined, coding: Coding, url: string): string {
  return `${open?.edition.key ?? ''} ${coding} ${url}`;
}
