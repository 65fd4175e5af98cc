import { expect, it } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { addScores, addWeighted, allHits, rank, sortInto } from './scores.ts';

const SCORES = Uint32Array.of(0, 7, 20_000, 7, 0, 1, 20_000);
const HITS = [1, 2, 3, 5, 6];
const ALL = { from: 0, to: 1_000 };

it('ranks by score, then document number, without records of score 0', () => {
  const { count, docs, scores, bits, byteLength } = rank(SCORES, ALL);
  expect(count).toBe(5);
  expect([...docs]).toEqual([2, 6, 1, 3, 5]);
  expect([...scores]).toEqual([20_000, 20_000, 7, 7, 1]);
  expect(byteLength).toBe(docs.byteLength + scores.byteLength + bits.byteLength);
});

it('ranks only the hits at some places, and knows the others', () => {
  for (let from = 0; from < 7; from++) {
    for (let to = from; to < 8; to++) {
      const ranking = rank(SCORES, { from, to });
      expect([...ranking.docs]).toEqual([2, 6, 1, 3, 5].slice(from, to));
      expect([...ranking.scores]).toEqual([20_000, 20_000, 7, 7, 1].slice(from, to));
      expect(ranking.count).toBe(5);
      expect([...allHits(ranking, new Uint32Array(7).fill(9))]).toEqual(HITS);
    }
  }
});

it('ranks the same first hits as a sort of all', () => {
  const random = createRandom(7);
  for (const highest of [3, 500, 100_000]) {
    for (const most of [1, 10, 100, 3_000]) {
      const scores = Uint32Array.from({ length: 2_000 }, () =>
        Math.max(0, random.below(highest + highest) - highest),
      );
      const sorted = [...scores.keys()]
        .filter((doc) => scores[doc])
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      const { docs, count } = rank(scores, { from: most >> 1, to: most });
      expect([...docs]).toEqual(sorted.slice(most >> 1, most));
      expect(count).toBe(sorted.length);
    }
  }
});

it('ranks hits of which each is better than the one before', () => {
  const scores = Uint32Array.from({ length: 1_000 }, (_, doc) => doc * 50);
  expect([...rank(scores, { from: 0, to: 3 }).docs]).toEqual([999, 998, 997]);
});

it('finds all hits of more records than there are bits in a number', () => {
  const scores = new Uint32Array(100);
  const docs = [0, 31, 32, 63, 95, 96, 99];
  for (const doc of docs) scores[doc] = 100 - doc;
  expect([...rank(scores, ALL).docs]).toEqual(docs);
  expect([...allHits(rank(scores, { from: 0, to: 1 }), new Uint32Array(100))]).toEqual(docs);
});

it('sorts the hits at some places into another order', () => {
  const order = Uint32Array.of(6, 5, 4, 3, 2, 1, 0);
  for (let from = 0; from < 7; from++) {
    for (let to = from; to < 8; to++) {
      const { count, docs, scores } = sortInto(order, SCORES, { from, to });
      expect([...docs]).toEqual([6, 5, 3, 2, 1].slice(from, to));
      expect([...scores]).toEqual([20_000, 1, 7, 20_000, 7].slice(from, to));
      expect(count).toBe(5);
    }
  }
});

it('ranks an empty list', () => {
  expect(rank(new Uint32Array(), ALL).docs).toHaveLength(0);
  expect(rank(new Uint32Array(3), ALL).docs).toHaveLength(0);
});

it('adds the scores of records that match both', () => {
  const scores = Uint32Array.of(0, 1, 2, 3);
  addScores(scores, Uint32Array.of(5, 0, 5, 6));
  expect([...scores]).toEqual([0, 0, 7, 9]);
});

it('adds multiples to the scores of records that have one', () => {
  const scores = Uint32Array.of(0, 1, 20_000, 3);
  addWeighted(scores, Uint32Array.of(5, 0, 10_000, 6), 3);
  expect([...scores]).toEqual([0, 1, 50_000, 21]);
});
