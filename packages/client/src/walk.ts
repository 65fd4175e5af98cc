import { PAGE_SIZE } from '@archiefkast/types/kinds';
import type { OnNotice } from './client-options.ts';
import { ArchiveError, NextError, type NextFault } from './errors.ts';
import { repairedUrl } from './request/repaired-url.ts';

/** One page of a list or of search, as received. */
export interface Page<Result> {
  /** The requested address. */
  url: string;
  /** The address of the next page; null on the last. */
  next: string | null;
  /** Records that match, over all pages. */
  count: number;
  /** Records of all kinds in the archive. */
  total: number;
  results: Result[];
  /** Time of the response: ISO 8601, UTC. */
  retrievedAt: string;
  /** The edition of the archive; null if the server does not name it. */
  edition: string | null;
  /** The ETag of the response, if it has one. */
  etag: string | null;
}

/** The page number in an address; 1 without `page`, undefined if it is not a number. */
export function pageNumber(url: string | URL): number | undefined {
  const { searchParams } = typeof url === 'string' ? new URL(url) : url;
  const page = searchParams.get('page') || '1';
  return /^\d+$/.test(page) ? Number(page) : undefined;
}

/** Changes the page number of an address. */
export function withPage(url: string, number: number): string {
  const other = new URL(url);
  other.searchParams.set('page', String(number));
  return other.href;
}

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

/** Reads the page at an address; its `next` is not checked. */
export type ReadPage<Result> = (url: string, signal: AbortSignal) => Promise<Page<Result>>;

/** Options of a walk. */
export interface WalkOptions<Result> {
  readPage: ReadPage<Result>;
  /** Address of the first page of the walk. */
  start: string;
  /** Aborts the walk; its reason is thrown. */
  signal: AbortSignal;
  onNotice: OnNotice;
  /** A guard with the pages before `start`; a new one by default. */
  guard?: NextGuard | undefined;
  /** Request the next page while the current one is processed. */
  prefetch?: boolean | undefined;
}

/**
 * Walks from page to page along the `next` links. Each link is checked before it is followed; with `prefetch`, also
 * before its page is yielded. Leaving the loop aborts running requests.
 *
 * @throws RequestError if a request fails, NextError if a link is refused
 */
export async function* walk<Result>(options: WalkOptions<Result>): AsyncGenerator<Page<Result>, void, void> {
  const { readPage, guard = createNextGuard(), onNotice } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const readAfter = (page: Page<Result>) => (page.next === null ? undefined : readPage(page.next, signal));
  const check = (page: Page<Result>) => checked(page, guard, onNotice);
  try {
    let page: Page<Result> | undefined = await readPage(options.start, signal);
    while (page) {
      if (options.prefetch) {
        const present = check(page);
        const ahead = readAfter(present);
        ahead?.catch(() => {});
        yield present;
        page = await ahead;
      } else {
        // The link is checked only if the next page is wanted.
        yield page;
        page = await readAfter(check(page));
      }
    }
  } finally {
    left.abort();
  }
}

/** Checks the link of a page, and repairs its protocol if needed. */
function checked<Result>(page: Page<Result>, guard: NextGuard, onNotice: OnNotice): Page<Result> {
  guard.visit(page);
  if (page.next === null) return page;
  const next = guard.check({ url: page.url, next: page.next, count: page.count });
  if (next !== page.next && new URL(page.next).protocol !== new URL(next).protocol) {
    onNotice({ type: 'repair', url: page.next, next });
  }
  return { ...page, next };
}

/** Pages are inconsistent, because the archive changed or because they were requested in parallel: another walk can resolve that. */
export class InconsistentError extends ArchiveError {
  override name = 'InconsistentError';
}

/** Options of a parallel walk. */
interface WalkAtOnceOptions<Result> extends WalkOptions<Result> {
  /** Maximum number of parallel requests. */
  concurrency: number;
}

/**
 * Walks like `walk`, with parallel requests. Their addresses are the first page's `next` with another `page`; pages are
 * yielded in order, and each must have the `count` and `total` of the first and the expected `next`.
 *
 * @throws InconsistentError if a page is inconsistent, RequestError if a request fails
 */
export async function* walkAtOnce<Result>(
  options: WalkAtOnceOptions<Result>,
): AsyncGenerator<Page<Result>, void, void> {
  const { readPage, guard = createNextGuard(), onNotice, concurrency } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  try {
    const first = checkedOrInconsistent(await readPage(options.start, signal), guard, onNotice);
    yield first;
    const template = first.next;
    if (template === null) return;
    const last = lastPageOf(first.count);
    const waiting: Promise<Page<Result>>[] = [];
    let asked = (pageNumber(first.url) ?? 1) + 1;
    for (let number = asked; number <= last; number += 1) {
      while (asked <= last && waiting.length < concurrency) {
        const answer = readPage(withPage(template, asked), signal);
        answer.catch(() => {});
        waiting.push(answer);
        asked += 1;
      }
      const answer = await waiting.shift();
      if (!answer) return;
      const page = checkedOrInconsistent(answer, guard, onNotice);
      const next = number < last ? withPage(template, number + 1) : null;
      assertAgrees(page, first, next);
      yield page;
    }
  } finally {
    left.abort();
  }
}

function checkedOrInconsistent<Result>(...parameters: Parameters<typeof checked<Result>>): Page<Result> {
  try {
    return checked(...parameters);
  } catch (error) {
    if (!(error instanceof NextError)) throw error;
    throw new InconsistentError(error.message, { cause: error });
  }
}

function assertAgrees(page: Page<unknown>, first: Page<unknown>, next: string | null): void {
  for (const name of ['count', 'total', 'edition'] as const) {
    if (page[name] !== first[name]) {
      throw new InconsistentError(
        `${page.url} has the ${name} ${page[name] ?? 'none'}, ${first.url} has ${first[name] ?? 'none'}`,
      );
    }
  }
  if (page.next !== next) {
    throw new InconsistentError(
      `${page.url} names ${page.next} as its next page, where ${next} was expected`,
    );
  }
}
