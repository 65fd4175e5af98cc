import { PAGE_SIZE } from '@archiefkast/types/kinds';
import { type OnNotice, repairedUrl, withParameter } from './client-options.ts';
import { ArchiveError, NextError, type NextFault } from './errors.ts';

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

/** Query parameters that a link to another page must neither change nor add. */
const KEPT = ['format', 'q', 'edition', 'sort', 'fields', 'events'];

/** The parameter by which the address of a list is another list than the one asked for; undefined if it is the same. */
export function differenceOf(asked: string | URL, other: string | URL, names = KEPT): string | undefined {
  const [one, two] = [new URL(asked), new URL(other)];
  return names.find((name) => valuesOf(one, name) !== valuesOf(two, name));
}

/** The number of the last page of a list of `count` records. */
function lastPageOf(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_SIZE));
}

/**
 * Checks the link of a page before it is followed. Page numbers rise by one, so that no page comes twice.
 *
 * @param firstCount count of the first page of the walk
 * @returns the link, with `https` instead of `http` if the page was requested with `https`
 * @throws NextError
 */
export function checkNext(
  { url, next, count }: { url: string; next: string; count: number },
  firstCount = count,
): string {
  const refuse = (reason: NextFault, message: string) => new NextError({ url, next }, reason, message);
  const link = repairedUrl(next, url);
  if (link === undefined) {
    const advice = adviceFor(new URL(url), new URL(next));
    throw refuse('origin', `which is on another host, port or protocol; ${advice}`);
  }
  const before = new URL(url);
  const after = new URL(link);
  if (after.pathname !== before.pathname) throw refuse('path', 'which is another list');
  const lost = differenceOf(before, after);
  if (lost !== undefined) throw refuse('query', `which does not keep the parameter "${lost}"`);
  const expected = (pageNumber(before) ?? 1) + 1;
  const number = pageNumber(after) ?? 0;
  if (number > 0 && number < expected) throw refuse('cycle', 'which was visited before');
  if (number !== expected) throw refuse('page', `where page ${expected} was expected`);
  // A count may grow, but not without end.
  const bound = Math.min(count, 2 * firstCount + 10 * PAGE_SIZE);
  const last = lastPageOf(bound);
  if (expected > last) throw refuse('count', `but with a count of ${bound} the last page is ${last}`);
  return link;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function adviceFor(asked: URL, link: URL): string {
  const isThisMachine = LOOPBACK.test(asked.hostname) && LOOPBACK.test(link.hostname);
  if (!isThisMachine || asked.port !== link.port) return 'use the base URL of the links';
  return `${asked.hostname} and ${link.hostname} are the same machine: use ${link.origin} as the base URL`;
}

/** The values of a parameter; the order of fields is ignored, and spaces and forms of letters as servers normalize them. */
function valuesOf({ searchParams }: URL, name: string): string {
  const values = searchParams.getAll(name).map((value) => value.normalize('NFC').replace(/\s+/g, ' ').trim());
  return name === 'fields'
    ? values.join(',').split(',').toSorted().join(',')
    : values.filter(Boolean).join('\n');
}

/** Pages are inconsistent, because the archive changed or because they were requested in parallel: another walk can resolve that. */
export class InconsistentError extends ArchiveError {
  override name = 'InconsistentError';
}

/** Options of a walk. */
export interface WalkOptions<Result> {
  /** Reads the page at an address; its `next` is not checked. */
  readPage(url: string, signal: AbortSignal): Promise<Page<Result>>;
  /** Address of the first page of the walk. */
  start: string;
  /** Aborts the walk; its reason is thrown. */
  signal: AbortSignal;
  onNotice: OnNotice;
  /** Count of the first page, if the walk began before `start`. */
  firstCount?: number | undefined;
  /**
   * How many pages to request while one is processed; none by default. The addresses of those after the next are its own
   * with another `page`.
   */
  ahead?: number | undefined;
}

/**
 * Walks from page to page along the `next` links. Each link is checked before its page is yielded. Leaving the loop aborts running requests.
 *
 * @throws RequestError if a request fails; NextError if a link is refused, or InconsistentError with several pages ahead
 */
export async function* walk<Result>(options: WalkOptions<Result>): AsyncGenerator<Page<Result>, void, void> {
  const { readPage, start, onNotice, ahead = 0 } = options;
  let { firstCount } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const waiting: Promise<Page<Result>>[] = [];
  const request = (url: string) => {
    const answer = readPage(url, signal);
    answer.catch(() => {});
    waiting.push(answer);
  };
  try {
    request(start);
    for (let page = await waiting.shift(); page; page = await waiting.shift()) {
      firstCount ??= page.count;
      const present = checked(page, firstCount, onNotice);
      const { next, count } = present;
      // Without pages ahead, the next one is requested when it is wanted.
      if (ahead === 0) yield present;
      if (next !== null) {
        const number = pageNumber(next) ?? 1;
        if (waiting.length === 0) request(next);
        while (waiting.length < ahead && number + waiting.length <= lastPageOf(count))
          request(withParameter(next, 'page', number + waiting.length));
      }
      if (ahead > 0) yield present;
      if (next === null) return;
    }
  } catch (error) {
    if (ahead <= 1 || !(error instanceof NextError)) throw error;
    throw new InconsistentError(error.message, { cause: error });
  } finally {
    left.abort();
  }
}

/** Checks the link of a page, and repairs its protocol if needed. */
function checked<Result>(page: Page<Result>, firstCount: number, onNotice: OnNotice): Page<Result> {
  const { url, next: link, count } = page;
  if (link === null) return page;
  const next = checkNext({ url, next: link, count }, firstCount);
  if (new URL(link).protocol !== new URL(next).protocol) onNotice({ type: 'repair', url: link, next });
  return { ...page, next };
}
