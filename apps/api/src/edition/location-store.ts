import { byteLengthOf, type Cache, type Caches } from '../cache.ts';
import { SharedWork } from '../shared-work.ts';
import type { Chunk } from './chunks.ts';

/** A location longer than this is encoded once, shared by all that embed it, and kept. */
const LARGE_CHARACTERS = 4096;

/**
 * Locations that have been put together. One that is being put together is shared by all requests that need it
 * meanwhile, and a large one is kept: a busy place is on many event pages, and takes its time.
 */
export class LocationStore {
  readonly #kept: Cache<Buffer>;
  readonly #making = new SharedWork<Chunk>();

  constructor(caches: Caches) {
    this.#kept = caches.open<Buffer>('locations', byteLengthOf);
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
    const keyOf = (position: number) => `${scope} ${position}`;
    const found = new Map(positions.map((position) => [position, this.#kept.find(keyOf(position))]));
    const missing = positions.filter(
      (position) => !found.get(position) && !this.#making.isUnderWay(keyOf(position)),
    );
    const building = missing.length > 0 ? build(missing) : undefined;
    const finish = async (position: number) =>
      this.#finish(keyOf(position), (await building)?.get(position) ?? '');
    return new Map(
      await Promise.all(
        positions.map(async (position): Promise<[number, Chunk]> => {
          const kept = found.get(position);
          return [position, kept ?? (await this.#making.run(keyOf(position), () => finish(position)))];
        }),
      ),
    );
  }

  #finish(key: string, text: string): Chunk {
    if (text.length <= LARGE_CHARACTERS) return text;
    const bytes = Buffer.from(text);
    this.#kept.keep(key, bytes);
    return bytes;
  }
}
