import { ArchiveError } from '../errors/archive-errors.ts';
import { NextError } from '../errors/next-errors.ts';
import type { OnNotice } from '../request/notice.ts';
import { createNextGuard, lastPageOf, type NextGuard } from './guard-next.ts';
import { type Page, pageNumber, withPage } from './page.ts';

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
function checked<Result>(page: Page<Result>, guard: NextGuard, onNotice: OnNotice): Page<Result> {
  guard.visit(page);
  if (page.next === null) return page;
  const next = guard.check({ url: page.url, next: page.next, count: page.count });
  if (next !== page.next && new URL(page.next).protocol !== new URL(next).protocol) {
    onNotice({ type: 'repair', url: page.next, next });
  }
  return { ...page, next };
}

/** Pages that were asked for at once do not agree with one another; a walk one by one can tell what holds. */
export class DisagreementError extends ArchiveError {
  override name = 'DisagreementError';
}

/** What a walk with several pages at once needs beside what every walk needs. */
interface WalkAtOnceOptions<Result> extends WalkOptions<Result> {
  /** Pages under way at once. */
  concurrency: number;
}

/**
 * Walks like `walk`, with several pages under way at once. Their addresses are made from the first page's `next`
 * by changing only `page`; pages come out in order, and each must agree with the first in `count` and `total`
 * and carry the `next` that was expected.
 *
 * @throws DisagreementError when a page does not agree, RequestError when one cannot be had
 */
export async function* walkAtOnce<Result>(
  options: WalkAtOnceOptions<Result>,
): AsyncGenerator<Page<Result>, void, void> {
  const { readPage, guard = createNextGuard(), onNotice, concurrency } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  try {
    const first = checkedOrDisagreeing(await readPage(options.start, signal), guard, onNotice);
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
      const page = checkedOrDisagreeing(answer, guard, onNotice);
      const next = number < last ? withPage(template, number + 1) : null;
      assertAgrees(page, first, next);
      yield page;
    }
  } finally {
    left.abort();
  }
}

function checkedOrDisagreeing<Result>(...parameters: Parameters<typeof checked<Result>>): Page<Result> {
  try {
    return checked(...parameters);
  } catch (error) {
    if (!(error instanceof NextError)) throw error;
    throw new DisagreementError(error.message, { cause: error });
  }
}

function assertAgrees(page: Page<unknown>, first: Page<unknown>, next: string | null): void {
  for (const name of ['count', 'total', 'edition'] as const) {
    if (page[name] !== first[name]) {
      throw new DisagreementError(
        `${page.url} has the ${name} ${page[name]}, ${first.url} has ${first[name]}`,
      );
    }
  }
  if (page.next !== next) {
    throw new DisagreementError(
      `${page.url} names ${page.next} as its next page, where ${next} was expected`,
    );
  }
}
