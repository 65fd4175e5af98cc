import { ArchiveError } from './archive-errors.ts';

/** A `next` link that is not followed. The message has both URLs. */
export class NextError extends ArchiveError {
  override name = 'NextError';
  /** The page with the link. */
  readonly url: string;
  /** The link. */
  readonly next: string;

  constructor(url: string, next: string, reason: string) {
    super(`${url} names ${next} as its next page, ${reason}`);
    this.url = url;
    this.next = next;
  }
}

/** `next` is a page that was visited before. */
export class NextCycleError extends NextError {
  override name = 'NextCycleError';
  constructor(url: string, next: string) {
    super(url, next, 'which was visited before');
  }
}

/** `next` is on another host, port or protocol. */
export class NextOriginError extends NextError {
  override name = 'NextOriginError';
  constructor(url: string, next: string) {
    super(url, next, `which is on another host, port or protocol; ${advice(new URL(url), new URL(next))}`);
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function advice(asked: URL, link: URL): string {
  const isThisMachine = LOOPBACK.test(asked.hostname) && LOOPBACK.test(link.hostname);
  if (!isThisMachine || asked.port !== link.port) return 'use the base URL of the links';
  return `${asked.hostname} and ${link.hostname} are the same machine: use ${link.origin} as the base URL`;
}

/** `next` is on the same host, but is another list. */
export class NextPathError extends NextError {
  override name = 'NextPathError';
  constructor(url: string, next: string) {
    super(url, next, 'which is another list');
  }
}

/** `next` drops or changes a query parameter other than `page`. */
export class NextQueryError extends NextError {
  override name = 'NextQueryError';
  constructor(url: string, next: string, parameter: string) {
    super(url, next, `which does not keep the parameter "${parameter}"`);
  }
}

/** The page number of `next` is not the next one. */
export class NextPageError extends NextError {
  override name = 'NextPageError';
  constructor(url: string, next: string, expected: number) {
    super(url, next, `where page ${expected} was expected`);
  }
}

/** `next` is a page beyond the count of the list. */
export class NextBeyondCountError extends NextError {
  override name = 'NextBeyondCountError';
  constructor(url: string, next: string, count: number, lastPage: number) {
    super(url, next, `but with a count of ${count} the last page is ${lastPage}`);
  }
}
