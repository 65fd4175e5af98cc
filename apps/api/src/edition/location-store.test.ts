import { describe, expect, test } from 'vitest';
import { Caches } from '../cache.ts';
import { LocationStore } from './location-store.ts';

const LARGE = 'x'.repeat(20_000);

/** A builder that finishes on demand, and records the requested positions. */
function createBuilder(textOf: (position: number) => string) {
  const requested: number[][] = [];
  const gate = Promise.withResolvers<void>();
  return {
    requested,
    open: gate.resolve,
    fail: gate.reject,
    build: async (positions: readonly number[]) => {
      requested.push([...positions]);
      await gate.promise;
      return new Map(positions.map((position) => [position, textOf(position)]));
    },
  };
}

describe('assembled locations', () => {
  test('are shared by concurrent requests', async () => {
    const store = new LocationStore(new Caches());
    const builder = createBuilder((position) => `location ${position}`);
    const first = store.obtain('a en', [1, 2], builder.build);
    const second = store.obtain('a en', [2, 3], builder.build);
    builder.open();
    expect(await first).toEqual(
      new Map([
        [1, 'location 1'],
        [2, 'location 2'],
      ]),
    );
    expect(await second).toEqual(
      new Map([
        [2, 'location 2'],
        [3, 'location 3'],
      ]),
    );
    expect(builder.requested).toEqual([[1, 2], [3]]);
  });

  test('are cached as shared bytes if they are large', async () => {
    const caches = new Caches();
    const store = new LocationStore(caches);
    const builder = createBuilder((position) => (position === 1 ? LARGE : 'small'));
    builder.open();
    const before = await store.obtain('a en', [1, 2], builder.build);
    const after = await store.obtain('a en', [1, 2], builder.build);
    expect(after.get(1)).toBe(before.get(1));
    expect(before.get(1)).toEqual(Buffer.from(LARGE));
    expect(builder.requested).toEqual([[1, 2], [2]]);
    expect(caches.bytes()).toEqual([['locations', LARGE.length]]);
  });

  test('are separate per edition and language', async () => {
    const store = new LocationStore(new Caches());
    const builder = createBuilder(() => LARGE);
    builder.open();
    await store.obtain('a en', [1], builder.build);
    await store.obtain('a nl', [1], builder.build);
    await store.obtain('b en', [1], builder.build);
    expect(builder.requested).toEqual([[1], [1], [1]]);
  });

  test('fail for all waiting requests, and are retried by the next', async () => {
    const store = new LocationStore(new Caches());
    const broken = createBuilder(() => LARGE);
    const waiting = [store.obtain('a en', [1], broken.build), store.obtain('a en', [1], broken.build)];
    broken.fail(new Error('gone'));
    for (const each of waiting) await expect(each).rejects.toThrow('gone');
    const sound = createBuilder(() => LARGE);
    sound.open();
    expect((await store.obtain('a en', [1], sound.build)).size).toBe(1);
  });
});
