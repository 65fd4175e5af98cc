import type { Kind } from '@archiefkast/types';
import { expect, test } from 'vitest';
import { disagreements, type WalkedKind } from './cross-check.ts';

function walked(kind: Kind, finished: number, count: number, total: number, edition?: string): WalkedKind {
  return {
    kind,
    finishedAt: `2026-01-01T00:00:0${finished}Z`,
    lastPage: {
      entry: 'page',
      kind,
      page: 1,
      url: 'u',
      retrieved_at: '',
      sha256: '',
      count,
      total,
      next: null,
      ...(edition === undefined ? {} : { edition }),
      retries: 0,
      waited_ms: 0,
      records: 0,
    },
  };
}

test('counts that add up are consistent', () => {
  const kinds = [walked('person', 1, 4, 10), walked('subject', 2, 3, 10), walked('location', 3, 2, 10)];
  expect(disagreements([...kinds, walked('event', 4, 1, 10)])).toEqual(new Map());
  expect(disagreements(kinds)).toEqual(new Map());
  expect(disagreements([])).toEqual(new Map());
});

test('the kind that finished last is taken as correct', () => {
  const found = disagreements([
    walked('person', 1, 4, 9),
    walked('subject', 3, 3, 10),
    walked('event', 2, 3, 10),
  ]);
  expect(found).toEqual(new Map([['person', 'its total is 9, but the subject list has 10']]));
});

test('different editions are inconsistent', () => {
  const found = disagreements([walked('person', 1, 4, 9, 'a'), walked('subject', 2, 5, 9, 'b')]);
  expect(found).toEqual(new Map([['person', 'its edition is a, but the subject list has b']]));
});

test('counts that do not add up to the total concern all kinds', () => {
  const kinds: Kind[] = ['person', 'subject', 'location', 'event'];
  const found = disagreements(kinds.map((kind) => walked(kind, 1, 1, 5)));
  expect([...found.keys()]).toEqual(kinds);
  expect(found.get('event')).toBe('the counts of all kinds add up to 4, the total is 5');
});
