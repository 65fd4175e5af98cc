import { expect, test } from 'vitest';
import { checkNext } from './walk.ts';

const LIST = 'http://a.test/en/api/persons';

const check = (url: string, next: string) => checkNext({ url, next, count: 100 });

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
  [LIST, 'https://a.test/en/api/persons?page=2', 'origin'],
  [`${LIST}?format=api`, `${LIST}?page=2`, 'query'],
  [`${LIST}?edition=3`, `${LIST}?edition=4&page=2`, 'query'],
  [LIST, `${LIST}?page=0`, 'page'],
  [LIST, `${LIST}?page=two`, 'page'],
  [`${LIST}?page=10`, `${LIST}?page=11`, 'count'],
] as const)('%s must not link to %s', ([url, next, reason]) => {
  const attempt = () => check(url, next);
  expect(attempt).toThrow(expect.objectContaining({ name: 'NextError', reason }));
  expect(attempt).toThrow(`${url} names ${next} as its next page, `);
});
