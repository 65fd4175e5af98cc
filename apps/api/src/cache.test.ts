import { describe, expect, it, test } from 'vitest';
import { byteLengthOf, Cache } from './cache.ts';

it('drops values by the prefix of their keys, and frees their bytes', () => {
  const cache = new Cache<Uint8Array>(10, byteLengthOf);
  for (const key of ['one a', 'one b', 'other a']) cache.keep(key, new Uint8Array(2));
  cache.dropAll('one ');
  expect(cache.byteLength).toBe(2);
  expect(cache.find('other a')).toHaveLength(2);
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
