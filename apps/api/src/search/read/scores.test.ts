import { expect, it } from 'vitest';
import { addScores, rank } from './scores.ts';

it('ranks by score, then document number, without records of score 0', () => {
  const { docs, scores, byteLength } = rank(
    Uint32Array.of(0, 7, 20_000, 7, 0, 1, 20_000),
    new Uint32Array(7).fill(9),
  );
  expect([...docs]).toEqual([2, 6, 1, 3, 5]);
  expect([...scores]).toEqual([20_000, 20_000, 7, 7, 1]);
  expect(byteLength).toBe(docs.byteLength + scores.byteLength);
});

it('ranks an empty list', () => {
  expect(rank(new Uint32Array(), new Uint32Array()).docs).toHaveLength(0);
  expect(rank(new Uint32Array(3), new Uint32Array(3)).docs).toHaveLength(0);
});

it('adds the scores of records that match both', () => {
  const scores = Uint32Array.of(0, 1, 2, 3);
  addScores(scores, Uint32Array.of(5, 0, 5, 6));
  expect([...scores]).toEqual([0, 0, 7, 9]);
});
