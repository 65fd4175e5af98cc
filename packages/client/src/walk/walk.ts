import type { OnNotice } from '../request/notice.ts';
import { createNextGuard, type NextGuard } from './guard-next.ts';
import type { Page } from './page.ts';

/** Reads the page at an address; its `next` is as it came. */
export type ReadPage<Result> = (url: string, signal: AbortSignal) => Promise<Page<Result>>;

/** What a walk needs. */
export interface WalkOptions<Result> {
  readPage: ReadPage<Result>;
  /** The address of the page to begin with. */
  start: string;
  /** Ends the walk; its reason is thrown. */
  signal: AbortSignal;
  onNotice: OnNotice;
  /** A guard that knows the pages before `start`; a new one when undefined. */
  guard?: NextGuard | undefined;
  /** Ask for the next page while the reader of the walk is busy with the present one. */
  prefetch?: boolean | undefined;
}

/**
 * Walks from page to page along the `next` links. Each link is checked before it is followed; with `prefetch`, also
 * before its page is given. Leaving the loop ends the requests that are under way.
 *
 * @throws RequestError when a page cannot be had, NextError when a link is refused
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
        // Whoever has enough with this page does not need its link.
        yield page;
        page = await readAfter(check(page));
      }
    }
  } finally {
    left.abort();
  }
}

/** The page with its link checked, and repaired where that is all it needs. */
export function checked<Result>(page: Page<Result>, guard: NextGuard, onNotice: OnNotice): Page<Result> {
  guard.visit(page);
  if (page.next === null) return page;
  const next = guard.check({ url: page.url, next: page.next, count: page.count });
  if (next !== page.next && new URL(page.next).protocol !== new URL(next).protocol) {
    onNotice({ type: 'repair', url: page.next, next });
  }
  return { ...page, next };
}
