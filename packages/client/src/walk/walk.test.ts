import { expect, test } from 'vitest';
import { collect } from '../../testing/collect.ts';
import { StatusError } from '../errors/request-errors.ts';
import { type Page, pageNumber } from './page.ts';
import { DisagreementError, walkAtOnce } from './walk.ts';

const LIST = 'http://a.test/en/api/persons';

/** Walks 45 records; `change` modifies a page. */
function walkWith(change: (page: Page<number>, number: number) => Page<number>, start = LIST) {
  return collect(
    walkAtOnce<number>({
      start,
      concurrency: 3,
      signal: new AbortController().signal,
      onNotice: () => {},
      async readPage(url) {
        const number = pageNumber(url) ?? 1;
        const page: Page<number> = {
          url,
          next: number < 5 ? `${LIST}?page=${number + 1}` : null,
          count: 45,
          total: 45,
          results: [number],
          retrievedAt: '',
          edition: undefined,
          etag: undefined,
        };
        return change(page, number);
      },
    }),
  );
}

test('pages come in order', async () => {
  const pages = await walkWith((page) => page);
  expect(pages.flatMap(({ results }) => results)).toEqual([1, 2, 3, 4, 5]);
});

test('a walk may begin in the middle', async () => {
  const pages = await walkWith((page) => page, `${LIST}?page=4`);
  expect(pages.flatMap(({ results }) => results)).toEqual([4, 5]);
});

test('a list may have one page', async () => {
  expect(await walkWith((page) => ({ ...page, next: null, count: 3 }))).toHaveLength(1);
});

test.for<[string, Partial<Page<number>>, RegExp]>([
  ['count', { count: 46 }, /page=3 has the count 46, \S+persons has 45/],
  ['total', { total: 44 }, /page=3 has the total 44/],
  ['edition', { edition: 'b' }, /page=3 has the edition b/],
  ['end', { next: null }, /page=3 names null as its next page, where \S+page=4 was expected/],
  ['next', { next: `${LIST}?page=5` }, /page=3 names \S+page=5 .*where page 4 was expected/],
])('a page with another %s is inconsistent', async ([, spoilt, message]) => {
  const walked = walkWith((page, number) => (number === 3 ? { ...page, ...spoilt } : page));
  await expect(walked).rejects.toThrow(DisagreementError);
  await expect(walked).rejects.toThrow(message);
});

test('a failed page ends the walk', async () => {
  const walked = walkWith((page, number) => {
    if (number === 4) throw new StatusError(page.url, 500);
    return page;
  });
  await expect(walked).rejects.toThrow(StatusError);
});
