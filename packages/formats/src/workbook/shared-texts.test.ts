import { expect, test } from 'vitest';
import { SharedTexts } from './shared-texts.ts';

const MEGABYTE = 1024 * 1024;

test('returns texts of any length by number', () => {
  const texts = new SharedTexts({ texts: 10_000, bytes: 64 * MEGABYTE });
  const all = Array.from({ length: 6_000 }, (_, number) => {
    const length = number % 97 === 0 ? 40_000 : number % 7 === 0 ? 0 : number % 3_000;
    return `${number} é€😀`
      .repeat(Math.ceil(length / 8))
      .slice(0, length)
      .toWellFormed();
  });
  for (const text of all) texts.add(text);
  expect(texts.count).toBe(all.length);
  expect(all.every((text, number) => texts.get(number) === text)).toBe(true);
  expect([texts.get(all.length), texts.get(-1), texts.get(0.5), texts.get(Number.NaN)]).toEqual(
    Array(4).fill(undefined),
  );
});

test('decodes escapes, and keeps unpaired surrogates', () => {
  const texts = new SharedTexts({ texts: 4, bytes: MEGABYTE });
  for (const text of ['a_x000D_b', `${'x'.repeat(20_000)}_x000D_`, 'a\ud800b', '']) texts.add(text);
  const read = [0, 1, 2, 3].map((number) => texts.get(number));
  expect(read).toEqual(['a\rb', `${'x'.repeat(20_000)}\r`, 'a\ud800b', '']);
});

test.each([
  ['texts', { texts: 2, bytes: MEGABYTE }, 'has more than 2 shared texts, or 1 MB of them'],
  ['bytes', { texts: 100, bytes: 0 }, 'has more than 100 shared texts, or 0 MB of them'],
])('rejects more %s than the limit', (_, most, message) => {
  const texts = new SharedTexts(most);
  const add = () => {
    for (const text of ['a', 'b', 'c']) texts.add(text);
  };
  expect(add).toThrow(`${message}; a folder of CSV files has no size limit`);
});
