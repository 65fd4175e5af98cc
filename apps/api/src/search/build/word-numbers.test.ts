import { expect, test } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { eachWord, hashOf } from '../fields/word-bytes.ts';
import { WordNumbers } from './word-numbers.ts';

test('numbers words as they are first met, and sorts them by their bytes', () => {
  const random = createRandom(3);
  const letters = ['a', 'b', 'z', '0', '9', 'é', 'ж', '中', '😀'];
  const words = new WordNumbers();
  for (let round = 0; round < 2; round++) {
    const known = new Map<string, number>();
    for (let count = 0; count < 30_000; count++) {
      const word = Array.from({ length: 1 + random.below(8) }, () => random.pick(letters)).join('');
      const expected = known.get(word) ?? known.size;
      known.set(word, expected);
      const bytes = Buffer.from(`-${word}-`);
      expect(words.numberOf(bytes, 1, bytes.length - 1, hashOf(word))).toBe(expected);
    }
    expect(words.length).toBe(known.size);
    const sorted = Array.from(words.sorted(), (number) => words.wordOf(number));
    const expected = [...known.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(sorted).toEqual(expected);
    words.clear();
  }
});

test('words with the same hash have their own numbers', () => {
  const words = new WordNumbers();
  const bytes = Buffer.from('ab');
  expect(words.numberOf(bytes, 0, 1, 1)).toBe(0);
  expect(words.numberOf(bytes, 1, 2, 1)).toBe(1);
  expect(words.numberOf(bytes, 0, 2, 1)).toBe(2);
  expect(words.numberOf(bytes, 0, 1, 1)).toBe(0);
});

test('words are runs of letters and digits', () => {
  const bytes = Buffer.from(" o'neill 1642, 's-gravenhage é ");
  const found: string[] = [];
  eachWord(bytes, bytes.length, (start, end, hash) => {
    const word = bytes.toString('utf8', start, end);
    expect(hash).toBe(hashOf(word));
    found.push(word);
  });
  expect(found).toEqual(['o', 'neill', '1642', 's', 'gravenhage', 'é']);
});
