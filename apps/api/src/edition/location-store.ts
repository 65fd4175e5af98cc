import { byteLengthOf, type Cache, type Caches } from '../cache.ts';
import { SharedWork } from '../shared-work.ts';
import type { Chunk } from './chunks.ts';

/** A location longer than this is encoded once, shared by all records that embed it, and cached. */
const LARGE_CHARACTERS = 4096;

/**
 * Assembled locations. Concurrent requests for a location share the work, and large ones are cached: a location with many
 * events is on many event pages, and slow to assemble.
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
   * @param scope edition and language of the positions
   * @param build assembles the locations that are neither cached nor being assembled
   * @throws the errors of `build`
   */
  async obtain(
    scope: string,
    positions: readonly number[],
    build: (positions: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<Map<number, Chunk>> {
    const keyOf = (position: number) => `${scope} ${position}`;
    const found = new Map(positions.map((position) => [position, this.#kept.find(keyOf(position))]));
    const missing = positions.filter(
      (position) => !found.get(position) && !this.#making.isRunning(keyOf(position)),
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
