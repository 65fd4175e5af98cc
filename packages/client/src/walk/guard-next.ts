import { PAGE_SIZE } from '@archiefkast/types/kinds';
import { NextError, type NextFault } from '../errors.ts';
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
   * @throws NextError
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
      const refuse = (reason: NextFault, message: string) => new NextError({ url, next }, reason, message);
      const link = repairedUrl(next, url);
      if (link === undefined) {
        const advice = adviceFor(new URL(url), new URL(next));
        throw refuse('origin', `which is on another host, port or protocol; ${advice}`);
      }
      if (visited.has(link)) throw refuse('cycle', 'which was visited before');
      const before = new URL(url);
      const after = new URL(link);
      if (after.pathname !== before.pathname) throw refuse('path', 'which is another list');
      const lost = lostParameter(before.searchParams, after.searchParams);
      if (lost !== undefined) throw refuse('query', `which does not keep the parameter "${lost}"`);
      const expected = (pageNumber(before) ?? 1) + 1;
      if (pageNumber(after) !== expected) throw refuse('page', `where page ${expected} was expected`);
      const bound = highestCount(firstCount ?? count, count);
      const last = lastPageOf(bound);
      if (expected > last) throw refuse('count', `but with a count of ${bound} the last page is ${last}`);
      return link;
    },
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function adviceFor(asked: URL, link: URL): string {
  const isThisMachine = LOOPBACK.test(asked.hostname) && LOOPBACK.test(link.hostname);
  if (!isThisMachine || asked.port !== link.port) return 'use the base URL of the links';
  return `${asked.hostname} and ${link.hostname} are the same machine: use ${link.origin} as the base URL`;
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
