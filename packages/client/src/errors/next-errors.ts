import { ArchiveError } from './archive-errors.ts';

/**
 * Why a `next` link is not followed: its page was visited before, is on another origin, or is another list; it does not keep a
 * query parameter; its page is not the next one, or beyond the count of the list.
 */
export type NextFault = 'cycle' | 'origin' | 'path' | 'query' | 'page' | 'count';

/** A `next` link that is not followed. The message has both URLs. */
export class NextError extends ArchiveError {
  override name = 'NextError';
  /** The page with the link. */
  readonly url: string;
  /** The link. */
  readonly next: string;
  readonly reason: NextFault;

  /** @param message the end of the sentence */
  constructor(page: { url: string; next: string }, reason: NextFault, message: string) {
    super(`${page.url} names ${page.next} as its next page, ${message}`);
    this.url = page.url;
    this.next = page.next;
    this.reason = reason;
  }
}
