import { describe, expect, test } from 'vitest';
import { Caches } from '../cache.ts';
import { LocationStore } from './location-store.ts';

const LARGE = 'x'.repeat(20_000);

/** A builder whose work ends when it is told to, and which notes what it was asked for. */
function createBuilder(textOf: (position: number) => string) {
  const asked: number[][] = [];
  const gate = Promise.withResolvers<void>();
  return {
    asked,
    open: gate.resolve,
    fail: gate.reject,
    build: async (positions: readonly number[]) => {
      asked.push([...positions]);
      await gate.promise;
      return new Map(positions.map((position) => [position, textOf(position)]));
    },
  };
}

describe('locations put together', () => {
  test('are shared while they are under way', async () => {
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
    expect(builder.asked).toEqual([[1, 2], [3]]);
  });

  test('are kept when they are large, as bytes that are the same for all', async () => {
    const caches = new Caches();
    const store = new LocationStore(caches);
    const builder = createBuilder((position) => (position === 1 ? LARGE : 'small'));
    builder.open();
    const before = await store.obtain('a en', [1, 2], builder.build);
    const after = await store.obtain('a en', [1, 2], builder.build);
    expect(after.get(1)).toBe(before.get(1));
    expect(before.get(1)).toEqual(Buffer.from(LARGE));
    expect(builder.asked).toEqual([[1, 2], [2]]);
    expect(caches.bytes()).toEqual([['locations', LARGE.length]]);
  });

  test('are apart for another edition or language', async () => {
    const store = new LocationStore(new Caches());
    const builder = createBuilder(() => LARGE);
    builder.open();
    await store.obtain('a en', [1], builder.build);
    await store.obtain('a nl', [1], builder.build);
    await store.obtain('b en', [1], builder.build);
    expect(builder.asked).toEqual([[1], [1], [1]]);
  });

  test('fail for all who wait, and are tried again by the next', async () => {
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
