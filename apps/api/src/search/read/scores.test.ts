import { expect, it } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { addScores, rank, sortInto } from './scores.ts';

const SCORES = Uint32Array.of(0, 7, 20_000, 7, 0, 1, 20_000);

it('ranks by score, then document number, without records of score 0', () => {
  const { docs, scores, byteLength } = rank(SCORES);
  expect([...docs]).toEqual([2, 6, 1, 3, 5]);
  expect([...scores]).toEqual([20_000, 20_000, 7, 7, 1]);
  expect(byteLength).toBe(docs.byteLength + scores.byteLength);
});

it('ranks as a sort does', () => {
  const random = createRandom(7);
  for (const highest of [3, 500, 100_000]) {
    const scores = Uint32Array.from({ length: 2_000 }, () =>
      Math.max(0, random.below(2 * highest) - highest),
    );
    const sorted = [...scores.keys()]
      .filter((doc) => scores[doc])
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    expect([...rank(scores).docs]).toEqual(sorted);
  }
});

it('sorts the hits into another order', () => {
  const { docs, scores } = sortInto(Uint32Array.of(6, 5, 4, 3, 2, 1, 0), SCORES);
  expect([...docs]).toEqual([6, 5, 3, 2, 1]);
  expect([...scores]).toEqual([20_000, 1, 7, 20_000, 7]);
});

it('ranks an empty list', () => {
  expect(rank(new Uint32Array()).docs).toHaveLength(0);
  expect(rank(new Uint32Array(3)).docs).toHaveLength(0);
});

it('adds the scores of records that match both', () => {
  const scores = Uint32Array.of(0, 1, 2, 3);
  addScores(scores, Uint32Array.of(5, 0, 5, 6));
  expect([...scores]).toEqual([0, 0, 7, 9]);
});
