import { describe, expect, test } from 'vitest';
import { createRandom } from '../../apps/api/testing/random.ts';
import { intervalOfMedian, showSample } from './statistics.ts';

describe('intervalOfMedian', () => {
  /** The whole numbers from 1, shuffled: a value is its own rank. */
  const ranks = (count: number) => Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1);

  // From tables of the sign test.
  test.each([
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [10, 2, 9],
    [20, 6, 15],
  ])('is of %i values from the %i. to the %i.', (count, least, most) => {
    expect(intervalOfMedian(ranks(count))).toEqual({ least, most });
  });

  test('is undefined for five values', () => {
    expect(intervalOfMedian([1, 2, 3, 4, 5])).toBeUndefined();
  });

  test('contains the median in 95 of 100 samples or more', () => {
    const random = createRandom(1);
    const samples = Array.from({ length: 2000 }, () =>
      intervalOfMedian(Array.from({ length: 10 }, () => random.number() ** 4)),
    );
    const isRight = samples.filter((found) => found && found.least <= 1 / 16 && found.most >= 1 / 16);
    expect(isRight.length / samples.length).toBeGreaterThan(0.95);
  });
});

test.each([
  [{ median: 12_345.6, least: 11_900, most: 12_800 }, '12,346 (11,900–12,800)'],
  [{ median: 2.5, least: 2.499, most: 2.501 }, '2.50'],
  [{ median: 0.0213, least: 0.0209, most: 0.12 }, '0.021 (0.021–0.12)'],
  [{ median: 0, least: 0, most: 0 }, '0.00'],
])('shows %j as %s', (sample, shown) => {
  expect(showSample(sample)).toBe(shown);
});
