import { expect, test } from 'vitest';
import type { Edition } from '../storage/edition.ts';
import { listKeys, walkKeys } from './record-keys.ts';

const edition: Edition = {
  id: 1,
  key: 'key',
  counts: { person: 3, subject: 0, location: 12, event: 2 },
  total: 17,
  publishedAt: new Date(0),
  isHeld: false,
  archive: undefined,
};

test('a range of a list is positions from 1', () => {
  expect(listKeys('person', { start: 10, end: 13 })).toEqual([
    { kind: 'person', position: 11 },
    { kind: 'person', position: 12 },
    { kind: 'person', position: 13 },
  ]);
  expect(listKeys('person', { start: 0, end: 0 })).toEqual([]);
});

test.each([
  [0, 4, ['person 1', 'person 2', 'person 3', 'location 1']],
  [2, 5, ['person 3', 'location 1', 'location 2']],
  [13, 17, ['location 11', 'location 12', 'event 1', 'event 2']],
  [15, 17, ['event 1', 'event 2']],
  [0, 0, []],
] as const)('keys %i to %i of the walk over all kinds', (start, end, expected) => {
  const keys = walkKeys(edition, { start, end });
  expect(keys.map(({ kind, position }) => `${kind} ${position}`)).toEqual(expected);
  expect(keys.every(({ score }) => score === 0)).toBe(true);
});

test('the pages of the walk contain each record of the archive once', () => {
  const pages = [0, 10].flatMap((start) =>
    walkKeys(edition, { start, end: Math.min(start + 10, edition.total) }),
  );
  expect(new Set(pages.map(({ kind, position }) => `${kind} ${position}`)).size).toBe(edition.total);
});
