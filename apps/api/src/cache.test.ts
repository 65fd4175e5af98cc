import { describe, expect, it, test } from 'vitest';
import { byteLengthOf, Cache } from './cache.ts';

/** Gets values of the given sizes, and returns the keys of those that were not cached. */
function made(cache: Cache<Uint8Array>, ...keys: [key: string, bytes: number][]): string {
  let names = '';
  for (const [key, bytes] of keys) {
    cache.get(key, () => {
      names += key;
      return new Uint8Array(bytes);
    });
  }
  return names;
}

it('evicts the least recently used values', () => {
  const cache = new Cache<Uint8Array>(10, byteLengthOf);
  expect(made(cache, ['a', 4], ['b', 4], ['a', 4], ['c', 4])).toBe('abc');
  expect(made(cache, ['a', 4], ['c', 4])).toBe('');
  expect(made(cache, ['b', 4])).toBe('b');
  expect(made(cache, ['c', 4], ['b', 4], ['a', 4])).toBe('a');
});

it('evicts several values for a large one, and does not cache one that exceeds its limit', () => {
  const cache = new Cache<Uint8Array>(10, byteLengthOf);
  expect(made(cache, ['a', 3], ['b', 3], ['big', 10], ['big', 10], ['a', 3])).toBe('abbiga');
  expect(made(cache, ['huge', 11], ['huge', 11], ['a', 3])).toBe('hugehuge');
});

it('drops values by the prefix of their keys, and frees their bytes', () => {
  const cache = new Cache<Uint8Array>(10, byteLengthOf);
  made(cache, ['one a', 2], ['one b', 2], ['other a', 2]);
  cache.dropAll('one ');
  expect(cache.byteLength).toBe(2);
  expect(made(cache, ['other a', 2], ['one a', 2])).toBe('one a');
});

describe('fetch', () => {
  const sizeOf = (value: string) => value.length;

  test('runs once for concurrent calls; a failure is retried', async () => {
    const cache = new Cache(100, sizeOf);
    let asked = 0;
    const find = async () => {
      asked += 1;
      if (asked === 1) throw new Error('busy');
      return `asked ${asked}`;
    };
    const first = [cache.fetch('a', find), cache.fetch('a', find)];
    expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const second = await Promise.all([cache.fetch('a', find), cache.fetch('a', find)]);
    expect(second).toEqual(['asked 2', 'asked 2']);
    expect(await cache.fetch('b', find)).toBe('asked 3');
    expect(await cache.fetch('a', find)).toBe('asked 2');
  });

  test('returns a value that is too large to cache', async () => {
    const cache = new Cache(3, sizeOf);
    const slow = Promise.withResolvers<string>();
    const waiting = cache.fetch('a', () => slow.promise);
    expect(await cache.fetch('b', async () => 'b')).toBe('b');
    slow.resolve('too large');
    expect(await waiting).toBe('too large');
    expect(await cache.fetch('b', async () => 'again')).toBe('b');
    expect(cache.byteLength).toBe(1);
  });
});
