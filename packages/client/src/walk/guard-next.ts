import { PAGE_SIZE } from '@archiefkast/types/kinds';
import {
  NextBeyondCountError,
  NextCycleError,
  NextOriginError,
  NextPageError,
  NextPathError,
  NextQueryError,
} from '../errors/next-errors.ts';
import { repairedUrl } from '../request/repaired-url.ts';
import { type Page, pageNumber } from './page.ts';

/** Query parameters that a `next` link must neither change nor add. */
const KEPT = ['format', 'q', 'edition', 'sort', 'fields'];

/** The number of the last page of a list of `count` records. */
export function lastPageOf(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_SIZE));
}

/** Checks the `next` links of one walk. */
export interface NextGuard {
  /** Marks a page as visited, in the order of the walk, before its link is checked. */
  visit(page: Pick<Page<unknown>, 'url' | 'count'>): void;
  /**
   * Checks the link of a page before it is followed.
   *
   * @returns the link, with `https` instead of `http` if the page was requested with `https`
   * @throws NextCycleError, NextOriginError, NextPathError, NextQueryError, NextPageError or NextBeyondCountError
   */
  check(page: { url: string; next: string; count: number }): string;
}

/** Creates the guard of one walk. */
export function createNextGuard(): NextGuard {
  const visited = new Set<string>();
  let firstCount: number | undefined;
  return {
    visit({ url, count }) {
      firstCount ??= count;
      visited.add(new URL(url).href);
    },
    check({ url, next, count }) {
      const link = repairedUrl(next, url);
      if (link === undefined) throw new NextOriginError(url, next);
      if (visited.has(link)) throw new NextCycleError(url, next);
      const before = new URL(url);
      const after = new URL(link);
      if (after.pathname !== before.pathname) throw new NextPathError(url, next);
      const lost = lostParameter(before.searchParams, after.searchParams);
      if (lost !== undefined) throw new NextQueryError(url, next, lost);
      const expected = (pageNumber(before) ?? 1) + 1;
      if (pageNumber(after) !== expected) throw new NextPageError(url, next, expected);
      const bound = highestCount(firstCount ?? count, count);
      if (expected > lastPageOf(bound)) throw new NextBeyondCountError(url, next, bound, lastPageOf(bound));
      return link;
    },
  };
}

/** Limit of a growing count: twice that of the first page, plus ten pages. */
function highestCount(firstCount: number, count: number): number {
  return Math.min(count, 2 * firstCount + 10 * PAGE_SIZE);
}

/** The first parameter that was changed or added; undefined if there is none. */
function lostParameter(before: URLSearchParams, after: URLSearchParams): string | undefined {
  return KEPT.find((name) => valuesOf(before, name) !== valuesOf(after, name));
}

/** The values of a parameter; the order of fields is ignored. */
function valuesOf(parameters: URLSearchParams, name: string): string {
  const values = parameters.getAll(name);
  return name === 'fields' ? values.join(',').split(',').toSorted().join(',') : values.join('\n');
}
