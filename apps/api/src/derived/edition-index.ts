import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
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

/** The search index of an edition: see `createEditionIndex`. */
export type EditionIndex = ReturnType<typeof createEditionIndex>;

/**
 * The search index of an edition. It is opened on first use, built if missing, and rebuilt if lost or damaged later. Meanwhile
 * queries are refused. After a failure, the next query or poll tries again, when a pause is over.
 *
 * @param openFile opens it; throws SearchIndexFormatError or SearchIndexDamaged if it is missing or invalid
 * @param rebuild builds it, and replaces any existing one
 * @param log a logger with the edition as context
 */
export function createEditionIndex(
  openFile: () => Promise<SearchIndex>,
  rebuild: (options: BuildOptions) => Promise<void>,
  log: Logger,
) {
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  let index: SearchIndex | undefined;
  let wasDamaged = false;
  let failures = 0;
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
    wasDamaged = false;
    failures = 0;
  };

  /** The attempt to open it, which is a new one if none was made, or the pause after the last one is over. */
  const tryToOpen = () => {
    if (attempt) return attempt;
    const opened = obtain();
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

  return {
    open,
    /** Opens it, or begins to build it. @throws as `open` does */
    begin: async (): Promise<void> => await Promise.race([open(), begun.promise]),
    /** The index, if it accepts queries. */
    get opened(): SearchIndex | undefined {
      return index;
    },
    /** Asks the open index. @throws SearchUnavailable if it is not open, or turns out to be lost; any error of `question` */
    async ask<Answer>(question: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
      if (!index) {
        await tryToOpen().soon.catch((error) => {
          throw new SearchUnavailable(error);
        });
      }
      const asked = index;
      if (!asked) throw new SearchUnavailable('the search index is being built');
      try {
        return await question(asked);
      } catch (error) {
        const isDamaged = error instanceof SearchIndexDamaged;
        if (!isDamaged && !(error instanceof SearchUnavailable)) throw error;
        if (asked === index) lose(asked, isDamaged, error);
        throw isDamaged ? new SearchUnavailable(error) : error;
      }
    },
    /** Completes the pending queries, and closes it. */
    async close(): Promise<void> {
      stop.abort();
      await attempt?.opened.catch(() => {});
      await index?.close();
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
