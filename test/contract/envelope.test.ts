import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { describe, expect, test } from 'vitest';
import { BASE_URL } from '../support/api-server.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { SERVED, TOTAL } from '../support/fixture/fixture-bundle.ts';
import { getJson, type Page, walkPages } from '../support/walk.ts';

const ALL = { persons: 23, subjects: 12, locations: 11, events: 13, search: 59 } as const;

/** A query, and the `next` and `previous` of its response, without the address of the list. */
const LINKS: readonly [query: string, next: string | null, previous: string | null][] = [
  ['', '?page=2', null],
  ['?page=', '?page=2', null],
  ['?page=1', '?page=2', null],
  ['?page=2', '?page=3', ''],
  ['?page=3', null, '?page=2'],
  ['?page=02', '?page=3', ''],
  ['?format=api', '?format=api&page=2', null],
  ['?page=2&format=api', '?format=api&page=3', '?format=api'],
  ['?format=&page=2', '?page=3', ''],
  ['?page=3&page=2', '?page=3', ''],
  ['?unknown=1&page=2&utm_source=x', '?page=3', ''],
  ['?q=last_name:huygens', '?page=2', null],
  ['?page=2&', '?page=3', ''],
];

describeFixture('envelope', (archive) => {
  describe.each(LANGUAGES)('in %s', (language) => {
    test.each(Object.entries(ALL))(
      '%s: every page has ten records, the last one the remainder',
      async (list, count) => {
        const pages = await walkPages(archive(), `/${language}/api/${list}`);
        const last = Math.ceil(count / 10);
        expect(pages).toHaveLength(last);
        for (const [index, page] of pages.entries()) {
          expect(Object.keys(page)).toEqual(['next', 'previous', 'count', 'total', 'language', 'results']);
          expect(page).toMatchObject({ count, total: TOTAL, language });
          expect(page.results).toHaveLength(index + 1 < last ? 10 : count % 10);
        }
      },
    );

    test.each(Object.keys(ALL))('%s: next and previous lead to the adjacent pages', async (list) => {
      const url = `${BASE_URL}/${language}/api/${list}`;
      const pages = await walkPages(archive(), `/${language}/api/${list}`);
      for (const [index, page] of pages.entries()) {
        const number = index + 1;
        expect(page.next).toBe(number === pages.length ? null : `${url}?page=${number + 1}`);
        expect(page.previous).toBe(number === 1 ? null : number === 2 ? url : `${url}?page=${number - 1}`);
      }
    });

    test.each(LINKS)('persons%s: next is %s, previous is %s', async (query, next, previous) => {
      const page = await getJson<Page>(archive(), `/${language}/api/persons${query}`);
      const url = `${BASE_URL}/${language}/api/persons`;
      expect(page.next).toBe(next === null ? null : url + next);
      expect(page.previous).toBe(previous === null ? null : url + previous);
    });
  });

  test('without q, search counts all records and lists them kind by kind, each by id', async () => {
    const pages = await walkPages(archive(), '/en/api/search');
    const entries = pages.flatMap(({ results }) => results);
    expect(entries.map(({ type }) => type)).toEqual(
      KINDS.flatMap((kind) => Array.from({ length: SERVED[kind] }, () => kind)),
    );
    for (const kind of KINDS) {
      const listed = (await walkPages(archive(), `/en/api/${COLLECTIONS[kind]}`)).flatMap(
        ({ results }) => results,
      );
      const found = entries.filter(({ type }) => type === kind).map(({ instance }) => instance);
      expect(found).toEqual(listed);
    }
  });
});
