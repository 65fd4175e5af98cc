import type { OnNotice } from '../client-options.ts';
import { ArchiveError, NextError } from '../errors.ts';
import { createNextGuard, lastPageOf, type NextGuard } from './guard-next.ts';
import { type Page, pageNumber, withPage } from './page.ts';

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
