import { expect, it } from 'vitest';
import { ByteLru } from './byte-lru.ts';

/** Asks for values of so many bytes, and tells which had to be made. */
function made(lru: ByteLru<Uint8Array>, ...keys: [key: string, bytes: number][]): string {
  let names = '';
  for (const [key, bytes] of keys) {
    lru.get(key, () => {
      names += key;
      return new Uint8Array(bytes);
    });
  }
  return names;
}

it('keeps what was used last, within its bytes', () => {
  const lru = new ByteLru<Uint8Array>(10);
  expect(made(lru, ['a', 4], ['b', 4], ['a', 4], ['c', 4])).toBe('abc');
  expect(made(lru, ['a', 4], ['c', 4])).toBe('');
  expect(made(lru, ['b', 4])).toBe('b');
  expect(made(lru, ['c', 4], ['b', 4], ['a', 4])).toBe('a');
});

it('makes room for a large value, and does not keep one that is too large', () => {
  const lru = new ByteLru<Uint8Array>(10);
  expect(made(lru, ['a', 3], ['b', 3], ['big', 10], ['big', 10], ['a', 3])).toBe('abbiga');
  expect(made(lru, ['huge', 11], ['huge', 11], ['a', 3])).toBe('hugehuge');
});

it('drops what is kept under keys that begin so, and gives its bytes back', () => {
  const lru = new ByteLru<Uint8Array>(10);
  made(lru, ['one a', 2], ['one b', 2], ['other a', 2]);
  lru.dropAll('one ');
  expect(lru.byteLength).toBe(2);
  expect(made(lru, ['other a', 2], ['one a', 2])).toBe('one a');
});
