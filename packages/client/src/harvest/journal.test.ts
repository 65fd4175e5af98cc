import { expect, test } from 'vitest';
import { createDriftWatch, type WatchedPage } from './journal.ts';

const uuids = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `uuid ${from + index}`);

function page(number: number, more: Partial<WatchedPage> = {}): WatchedPage {
  return {
    url: `u?page=${number}`,
    next: 'next',
    count: 25,
    total: 60,
    edition: undefined,
    uuids: uuids(number * 10, 10),
    ...more,
  };
}

test('reports nothing about an unchanged archive', () => {
  const watch = createDriftWatch();
  expect(watch.see(page(1))).toEqual([]);
  expect(watch.see(page(2))).toEqual([]);
  expect(watch.see(page(3, { next: null, uuids: uuids(30, 5) }))).toEqual([]);
  expect(watch.finish()).toEqual([]);
  expect(watch.rows()).toBe(25);
  expect(watch.uniqueUuids()).toBe(25);
});

test.for<[Partial<WatchedPage>, string]>([
  [{ count: 26 }, 'count changed from 25 to 26 at u?page=2'],
  [{ total: 59 }, 'total changed from 60 to 59 at u?page=2'],
  [{ edition: 'b' }, 'edition changed from undefined to b at u?page=2'],
  [{ uuids: uuids(19, 10) }, 'u?page=2 repeats the record uuid 19'],
  [{ uuids: uuids(18, 10) }, 'u?page=2 repeats the record uuid 18 and 1 others'],
  [{ uuids: ['x', ...uuids(20, 8), 'x'] }, 'u?page=2 repeats the record x'],
  [{ uuids: uuids(20, 9) }, 'u?page=2 has 9 records, but is not the last page'],
])('reports for %j: %s', ([more, sentence]) => {
  const watch = createDriftWatch();
  watch.see(page(1));
  expect(watch.see(page(2, more))).toEqual([sentence]);
});

test('reports a change once', () => {
  const watch = createDriftWatch();
  watch.see(page(1));
  watch.see(page(2, { total: 61 }));
  expect(watch.see(page(3, { total: 61 }))).toEqual([]);
});

test('reports records that are missing at the end', () => {
  const watch = createDriftWatch();
  watch.see(page(1, { next: null }));
  expect(watch.finish()).toEqual(['10 records received, expected 25']);
});
