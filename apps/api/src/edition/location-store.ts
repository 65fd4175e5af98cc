import { ByteLru } from '../byte-lru.ts';
import type { Chunk } from './chunks.ts';

/** A location longer than this is encoded once, shared by all that embed it, and kept. */
const LARGE_CHARACTERS = 4096;

/** Bytes of large locations that are kept. */
const KEPT_BYTES = 32 * 2 ** 20;

/**
 * Locations that have been put together. One that is being put together is shared by all requests that need it
 * meanwhile, and a large one is kept: a busy place is on many event pages, and takes its time.
 */
export class LocationStore {
  readonly #kept = new ByteLru<Buffer>(KEPT_BYTES);
  readonly #underWay = new Map<string, Promise<Chunk>>();

  /** Bytes that are kept. */
  get byteLength(): number {
    return this.#kept.byteLength;
  }

  /** Drops what is kept of scopes that begin so. */
  forget(scope: string): void {
    this.#kept.dropAll(scope);
  }

  /**
   * The locations at `positions`, by position.
   *
   * @param scope what the positions are of: edition and language
   * @param build puts together those that are neither kept nor under way
   * @throws what `build` throws
   */
  async obtain(
    scope: string,
    positions: readonly number[],
    build: (positions: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<Map<number, Chunk>> {
    const found = new Map<number, Chunk | Promise<Chunk>>();
    const missing: number[] = [];
    for (const position of positions) {
      const key = `${scope} ${position}`;
      const ready = this.#kept.find(key) ?? this.#underWay.get(key);
      if (ready) found.set(position, ready);
      else missing.push(position);
    }
    if (missing.length > 0) {
      const building = build(missing);
      for (const position of missing)
        found.set(position, this.#share(`${scope} ${position}`, position, building));
    }
    return new Map(
      await Promise.all([...found].map(async ([position, chunk]) => [position, await chunk] as const)),
    );
  }

  #share(key: string, position: number, building: Promise<ReadonlyMap<number, string>>): Promise<Chunk> {
    const chunk = building
      .then((built) => this.#finish(key, built.get(position) ?? ''))
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, chunk);
    return chunk;
  }

  #finish(key: string, text: string): Chunk {
    if (text.length <= LARGE_CHARACTERS) return text;
    const bytes = Buffer.from(text);
    this.#kept.keep(key, bytes);
    return bytes;
  }
}
