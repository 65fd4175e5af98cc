import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type SearchIndex,
  SearchIndexDamaged,
  SearchIndexFormatError,
  SearchUnavailable,
} from '../search/index.ts';

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

/**
 * The search index of an edition. It is opened on first use, built if missing, and rebuilt if lost or damaged later. Meanwhile
 * queries are refused. After a failure, the next query or poll tries again, when a pause is over.
 */
export class EditionIndex {
  readonly #open: () => Promise<SearchIndex>;
  readonly #rebuild: (options: BuildOptions) => Promise<void>;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  #index: SearchIndex | undefined;
  #isDamaged = false;
  #failures = 0;
  /** The last attempt to open it, and what is known of it after `PATIENCE_MILLISECONDS`. */
  #attempt: { opened: Promise<void>; soon: Promise<void> } | undefined;

  /**
   * @param open opens it; throws SearchIndexFormatError or SearchIndexDamaged if it is missing or invalid
   * @param rebuild builds it, and replaces any existing one
   * @param log a logger with the edition as context
   */
  constructor(
    open: () => Promise<SearchIndex>,
    rebuild: (options: BuildOptions) => Promise<void>,
    log: Logger,
  ) {
    this.#open = open;
    this.#rebuild = rebuild;
    this.#log = log;
  }

  /** The index, if it accepts queries. */
  get opened(): SearchIndex | undefined {
    return this.#index;
  }

  /**
   * Opens it, and builds it if needed.
   *
   * @throws the error of the last attempt, until it may be tried again
   */
  async open(): Promise<void> {
    await this.#try().opened;
  }

  /** Opens it, or begins to build it. @throws as `open` does */
  async begin(): Promise<void> {
    await Promise.race([this.open(), this.#begun.promise]);
  }

  /** Asks the open index. @throws SearchUnavailable if it is not open, or turns out to be lost; any error of `question` */
  async ask<Answer>(question: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
    if (!this.#index) {
      await this.#try().soon.catch((error) => {
        throw new SearchUnavailable(error);
      });
    }
    const index = this.#index;
    if (!index) throw new SearchUnavailable('the search index is being built');
    try {
      return await question(index);
    } catch (error) {
      const isDamaged = error instanceof SearchIndexDamaged;
      if (!isDamaged && !(error instanceof SearchUnavailable)) throw error;
      if (this.#index === index) this.#lose(index, isDamaged, error);
      throw isDamaged ? new SearchUnavailable(error) : error;
    }
  }

  /** Completes the pending queries, and closes it. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#attempt?.opened.catch(() => {});
    await this.#index?.close();
  }

  #lose(index: SearchIndex, isDamaged: boolean, error: unknown): void {
    this.#log.error({ err: error }, 'the search index was lost; search is unavailable until it is rebuilt');
    this.#index = undefined;
    this.#isDamaged = isDamaged;
    this.#attempt = undefined;
    void index.close();
    this.#try();
  }

  /** The attempt to open it, which is a new one if none was made, or the pause after the last one is over. */
  #try() {
    if (this.#attempt) return this.#attempt;
    const opened = this.#obtain();
    const soon = Promise.race([opened, sleep(PATIENCE_MILLISECONDS, undefined, { ref: false })]);
    this.#attempt = { opened, soon };
    soon.catch(() => {});
    opened.catch((error) => {
      if (this.#stop.signal.aborted) return;
      const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** this.#failures, LONGEST_PAUSE_MILLISECONDS);
      this.#failures += 1;
      this.#log.error({ err: error, nextTryInSeconds: pause / 1_000 }, 'the search index cannot be opened');
      setTimeout(() => {
        this.#attempt = undefined;
      }, pause).unref();
    });
    return this.#attempt;
  }

  async #obtain(): Promise<void> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    let index = this.#isDamaged ? undefined : await this.#open().catch(ifUnusable);
    if (!index) {
      this.#log.info('building the search index');
      await this.#rebuild({ signal, onBegin: this.#begun.resolve });
      index = await this.#open();
      this.#log.info('the search index is open');
    }
    this.#index = index;
    this.#isDamaged = false;
    this.#failures = 0;
  }
}

/**
 * Whether an index has to be built again, by the error of opening it. A temporary failure, such as too many open files, does
 * not mean that it is damaged.
 */
export function isUnusable(error: unknown): boolean {
  return error instanceof SearchIndexFormatError || error instanceof SearchIndexDamaged;
}

function ifUnusable(error: unknown): undefined {
  if (!isUnusable(error)) throw error;
}
