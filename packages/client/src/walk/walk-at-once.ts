import { ArchiveError, NextError } from '../errors.ts';
import { createNextGuard, lastPageOf } from './guard-next.ts';
import { type Page, pageNumber, withPage } from './page.ts';
import { checked, type WalkOptions } from './walk.ts';

/** Pages that were asked for at once do not agree with one another; a walk one by one can tell what holds. */
export class DisagreementError extends ArchiveError {
  override name = 'DisagreementError';
}

/** What a walk with several pages at once needs beside what every walk needs. */
export interface WalkAtOnceOptions<Result> extends WalkOptions<Result> {
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
