import { expect, test } from 'vitest';
import {
  NextBeyondCountError,
  NextCycleError,
  NextError,
  NextOriginError,
  NextPageError,
  NextPathError,
  NextQueryError,
} from '../errors/next-errors.ts';
import { createNextGuard } from './guard-next.ts';

const LIST = 'http://a.test/en/api/persons';

function check(url: string, next: string, count = 100): string {
  const guard = createNextGuard();
  guard.visit({ url, count });
  return guard.check({ url, next, count });
}

test.for([
  [LIST, `${LIST}?page=2`],
  [`${LIST}?page=9`, `${LIST}?page=10`],
  [`${LIST}?format=api&page=2`, `${LIST}?format=api&page=3`],
  [`${LIST}?q=last_name%3AVries`, `${LIST}?page=2&q=last_name:Vries`],
  [`${LIST}?edition=3`, `${LIST}?edition=3&page=2`],
] as const)('%s may link to %s', ([url, next]) => {
  expect(check(url, next)).toBe(next);
});

test.for([
  [LIST, LIST, NextCycleError],
  [LIST, 'http://b.test/en/api/persons?page=2', NextOriginError],
  [LIST, 'https://a.test/en/api/persons?page=2', NextOriginError],
  [LIST, 'http://a.test/en/api/events?page=2', NextPathError],
  [LIST, `${LIST}?page=2&q=city%3ALeiden`, NextQueryError],
  [`${LIST}?format=api`, `${LIST}?page=2`, NextQueryError],
  [`${LIST}?edition=3`, `${LIST}?edition=4&page=2`, NextQueryError],
  [LIST, `${LIST}?page=3`, NextPageError],
  [`${LIST}?page=3`, `${LIST}?page=2`, NextPageError],
  [LIST, `${LIST}?page=two`, NextPageError],
  [`${LIST}?page=10`, `${LIST}?page=11`, NextBeyondCountError],
] as const)('%s must not link to %s', ([url, next, expected]) => {
  const attempt = () => check(url, next);
  expect(attempt).toThrow(expected);
  expect(attempt).toThrow(NextError);
  expect(attempt).toThrow(`${url} names ${next} as its next page, `);
});

test('a cycle of any length is detected', () => {
  const guard = createNextGuard();
  for (const page of [1, 2, 3]) guard.visit({ url: `${LIST}?page=${page}`, count: 100 });
  expect(() => guard.check({ url: `${LIST}?page=3`, next: `${LIST}?page=1`, count: 100 })).toThrow(
    NextCycleError,
  );
});

test('a count may grow during a walk, up to a limit', () => {
  const guard = createNextGuard();
  guard.visit({ url: LIST, count: 20 });
  const checkAt = (page: number) =>
    guard.check({ url: `${LIST}?page=${page}`, next: `${LIST}?page=${page + 1}`, count: 10_000 });
  expect(checkAt(13)).toBe(`${LIST}?page=14`);
  expect(() => checkAt(14)).toThrow('but with a count of 140 the last page is 14');
});
