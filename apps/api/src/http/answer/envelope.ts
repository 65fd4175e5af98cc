import { type Language, PAGE_SIZE } from '@archiefkast/types';
import type { Chunk } from '../../edition/chunks.ts';
import { type Answer, json } from '../contract/route.ts';
import { canonicalUrl, invalidPage, pageOf } from '../request/parameters.ts';

/** The facts of a list besides its results. */
export interface ListFacts {
  /** URL of the list, without query. */
  url: string;
  /** Normalized by `readParameters`. */
  parameters: URLSearchParams;
  count: number;
  total: number;
  language: Language;
}

/** The response of a list: the envelope with its results, and the `Link` header. */
export function listAnswer(
  { url, parameters, count, total, language }: ListFacts,
  results: readonly Chunk[][],
): Answer {
  const page = pageOf(parameters);
  const last = lastPage(count);
  const address = (number: number) => canonicalUrl(url, withPage(parameters, number));
  const next = page < last ? address(page + 1) : null;
  const previous = page > 1 ? address(page - 1) : null;
  const head = JSON.stringify({ next, previous, count, total, language, results: [] }).slice(0, -2);
  const body = [head, ...results.flatMap((result, index) => (index === 0 ? result : [',', ...result])), ']}'];
  return {
    ...json(body),
    links: {
      first: address(1),
      ...(previous !== null && { prev: previous }),
      ...(next !== null && { next }),
      last: address(last),
    },
  };
}

/**
 * The offsets in the list, from 0, of the records on a page.
 *
 * @throws Problem if the page is out of range; an empty list has one page
 */
export function pageRange(parameters: URLSearchParams, count: number): { start: number; end: number } {
  const page = pageOf(parameters);
  if (page > lastPage(count)) throw invalidPage(lastPage(count));
  const start = (page - 1) * PAGE_SIZE;
  return { start, end: Math.min(start + PAGE_SIZE, count) };
}

/** The number of the last page. */
function lastPage(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_SIZE));
}

/** The parameters with another page, in alphabetical order; page 1 is omitted. */
function withPage(parameters: URLSearchParams, page: number): [string, string][] {
  const others = [...parameters].filter(([name]) => name !== 'page');
  const all: [string, string][] = page > 1 ? [...others, ['page', String(page)]] : others;
  return all.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
