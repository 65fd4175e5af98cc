import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Gate } from '../gate.ts';
import { SearchIndexFormatError } from '../search/file/index-file.ts';
import { type SearchIndex, SearchIndexDamaged, SearchUnavailable } from '../search/thread/search-index.ts';

/** Queries wait for an index that is being opened or built, until this long after it started. */
const PATIENCE_MILLISECONDS = 1_000;

/** Pause after a failure, before it may be tried again; doubled for each further one … */
const FIRST_PAUSE_MILLISECONDS = 1_000;
/** … up to this limit. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** Options of building an index. */
export interface BuildOptions {
  /** Called when it is known that the index can be written, before the first record. */
  onBegin?: () => void;
  /** Called for each indexed record. */
  onRecord?: () => void;
  /** Cancels the build. */
  signal?: AbortSignal;
}

/** How a search index is opened and built. */
export interface IndexSource {
  /** Opens it. @throws SearchIndexFormatError or SearchIndexDamaged if it is missing or invalid */
  openFile(): Promise<SearchIndex>;
  /** Builds it, and replaces any existing one. */
  rebuild(options: BuildOptions): Promise<void>;
  /** Opens it for a query by `open`, when there is room for it. @throws the errors of `open`; its own if there is none */
  admit?(open: () => Promise<void>): Promise<void>;
  /** The error of a query after `close`. */
  closedError(): Error;
}

/** The search index of an edition: see `createEditionIndex`. */
export type EditionIndex = ReturnType<typeof createEditionIndex>;

/**
 * The search index of an edition. It is opened on first use, built if missing, and rebuilt if lost or damaged later. Meanwhile
 * queries are refused. After a failure, the next query or poll tries again, when a pause is over.
 *
 * @param log a logger with the edition as context
 */
export function createEditionIndex(
  { openFile, rebuild, admit = (open) => open(), closedError }: IndexSource,
  log: Logger,
) {
  const stop = new AbortController();
  const uses = new Gate({ underWay: Number.POSITIVE_INFINITY, waiting: 0, milliseconds: 0 });
  const begun = Promise.withResolvers<void>();
  let index: SearchIndex | undefined;
  let wasDamaged = false;
  let failures = 0;
  let isOpening = false;
  let openedAt = 0;
  let usedAt = 0;
  /** The last attempt to open it, and what is known of it after `PATIENCE_MILLISECONDS`. */
  let attempt: { opened: Promise<void>; soon: Promise<void> } | undefined;

  const obtain = async () => {
    stop.signal.throwIfAborted();
    let found = wasDamaged ? undefined : await openFile().catch(noneIfUnusable);
    if (!found) {
      log.info('building the search index');
      await rebuild({ signal: stop.signal, onBegin: begun.resolve });
      found = await openFile();
      log.info('the search index is open');
    }
    index = found;
    openedAt = performance.now();
    wasDamaged = false;
    failures = 0;
  };

  /** The attempt to open it, which is a new one if none was made, or the pause after the last one is over. */
  const tryToOpen = () => {
    if (attempt) return attempt;
    isOpening = true;
    const opened = obtain().finally(() => {
      isOpening = false;
    });
    const soon = Promise.race([opened, sleep(PATIENCE_MILLISECONDS, undefined, { ref: false })]);
    attempt = { opened, soon };
    soon.catch(() => {});
    opened.catch((error) => {
      if (stop.signal.aborted) return;
      const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS);
      failures += 1;
      log.error({ err: error, nextTryInSeconds: pause / 1_000 }, 'the search index cannot be opened');
      setTimeout(() => {
        attempt = undefined;
      }, pause).unref();
    });
    return attempt;
  };

  const lose = (lost: SearchIndex, isDamaged: boolean, error: unknown) => {
    log.error({ err: error }, 'the search index was lost; search is unavailable until it is rebuilt');
    index = undefined;
    wasDamaged = isDamaged;
    attempt = undefined;
    void lost.close();
    tryToOpen();
  };

  /**
   * Opens it, and builds it if needed.
   *
   * @throws the error of the last attempt, until it may be tried again
   */
  const open = async (): Promise<void> => await tryToOpen().opened;

  const openSoon = async () => {
    await tryToOpen().soon.catch((error) => {
      throw stop.signal.aborted ? closedError() : new SearchUnavailable(error);
    });
  };

  /** Closes what is open when no query uses it. */
  const release = async () => {
    const released = index;
    index = undefined;
    attempt = undefined;
    await uses.drain();
    await released?.close();
  };

  return {
    open,
    /** Opens it, or begins to build it. @throws as `open` does */
    begin: async (): Promise<void> => await Promise.race([open(), begun.promise]),
    /** The index, if it accepts queries. */
    get opened(): SearchIndex | undefined {
      return index;
    },
    /** Whether it is open, being opened or being built. */
    get isActive(): boolean {
      return isOpening || index !== undefined;
    },
    /** When it was opened (`performance.now()`). */
    get openedAt(): number {
      return openedAt;
    },
    /** When the last query began (`performance.now()`). */
    get usedAt(): number {
      return usedAt;
    },
    /**
     * Asks the open index; all that a question asks, it asks of one open index.
     *
     * @throws SearchUnavailable if it is not open, or turns out to be lost; what `admit` and `closedError` say; any error of
     *   `question`
     */
    async ask<Answer>(question: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
      if (!index && !stop.signal.aborted) await (attempt ? openSoon() : admit(openSoon));
      const asked = index;
      if (stop.signal.aborted) throw closedError();
      if (!asked) throw new SearchUnavailable('the search index is being built');
      usedAt = performance.now();
      try {
        return await uses.pass(() => question(asked));
      } catch (error) {
        const isDamaged = error instanceof SearchIndexDamaged;
        if (!isDamaged && !(error instanceof SearchUnavailable)) throw error;
        if (asked === index) lose(asked, isDamaged, error);
        throw isDamaged ? new SearchUnavailable(error) : error;
      }
    },
    /** Closes it when no query uses it; the next query opens it again. */
    rest: release,
    /** Cancels a build, and closes it when no query uses it, for good. */
    async close(): Promise<void> {
      stop.abort();
      await attempt?.opened.catch(() => {});
      await release();
    },
  };
}

/**
 * No index, if the error of opening it says that it has to be built again.
 *
 * @throws other errors: a temporary failure, such as too many open files, does not mean that it is damaged
 */
export function noneIfUnusable(error: unknown): undefined {
  if (!(error instanceof SearchIndexFormatError || error instanceof SearchIndexDamaged)) throw error;
}
