import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type FacetResult,
  type RecordGraph,
  type SearchIndex,
  SearchIndexDamaged,
  SearchIndexFormatError,
  type SearchResult,
  SearchUnavailable,
  type Suggestion,
} from '../search/index.ts';

/** Queries wait for an index that is being opened or built, until this long after it started. */
const PATIENCE_MILLISECONDS = 1_000;

/** Delay of the first retry; doubled for each further one … */
const FIRST_PAUSE_MILLISECONDS = 1_000;
/** … up to this limit. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** Opens and builds an index. */
export interface IndexSource {
  /** @throws SearchIndexFormatError or SearchIndexDamaged if it is missing or invalid */
  open(): Promise<SearchIndex>;
  /**
   * Builds the index, and replaces any existing one.
   *
   * @param onBegin called when it can be written
   */
  rebuild(signal: AbortSignal, onBegin: () => void): Promise<void>;
}

/**
 * The search index of an edition. It is opened on first use, built if missing, and rebuilt if lost or damaged later, with
 * exponential backoff on failure. Meanwhile queries are refused.
 */
export class EditionIndex implements SearchIndex {
  readonly #source: IndexSource;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  #index: SearchIndex | undefined;
  /** The last attempt to open it. */
  #attempt: Promise<void> | undefined;
  /** Start of the last attempt. */
  #began = 0;

  /** @param log a logger with the edition as context */
  constructor(source: IndexSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** Whether it accepts queries. */
  get isOpen(): boolean {
    return this.#index !== undefined;
  }

  get waiting(): number {
    return this.#index?.waiting ?? 0;
  }

  get byteLength(): number {
    return this.#index?.byteLength ?? 0;
  }

  /**
   * Opens it, and builds it if needed.
   *
   * @throws the error of the last attempt; retries are automatic
   */
  async open(): Promise<void> {
    await (this.#attempt ?? this.#try(false, FIRST_PAUSE_MILLISECONDS));
  }

  /**
   * Opens it, or begins to build it.
   *
   * @throws the error of the last attempt; retries are automatic
   */
  async begin(): Promise<void> {
    await Promise.race([this.open(), this.#begun.promise]);
  }

  search(...question: Parameters<SearchIndex['search']>): Promise<SearchResult> {
    return this.#ask((index) => index.search(...question));
  }

  facets(...question: Parameters<SearchIndex['facets']>): Promise<FacetResult> {
    return this.#ask((index) => index.facets(...question));
  }

  suggest(...question: Parameters<SearchIndex['suggest']>): Promise<Suggestion[]> {
    return this.#ask((index) => index.suggest(...question));
  }

  nearest(...question: Parameters<SearchIndex['nearest']>): Promise<(string | undefined)[]> {
    return this.#ask((index) => index.nearest(...question));
  }

  look<Found>(look: (graph: RecordGraph) => Found): Promise<Found> {
    return this.#ask((index) => index.look(look));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#attempt?.catch(() => {});
    await this.#index?.close();
  }

  async #ask<Answer>(ask: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
    const index = this.#index ?? (await this.#soon());
    try {
      return await ask(index);
    } catch (error) {
      const isDamaged = error instanceof SearchIndexDamaged;
      if (!isDamaged && !(error instanceof SearchUnavailable)) throw error;
      if (this.#index === index) this.#lose(index, isDamaged, error);
      throw isDamaged ? new SearchUnavailable(error) : error;
    }
  }

  /** Waits for the index, up to the timeout. */
  async #soon(): Promise<SearchIndex> {
    const opening = this.open();
    const left = this.#began + PATIENCE_MILLISECONDS - performance.now();
    const enough = new AbortController();
    try {
      await Promise.race([opening, sleep(left, undefined, { signal: enough.signal })]);
    } catch (error) {
      throw new SearchUnavailable(error);
    } finally {
      enough.abort();
      opening.catch(() => {});
    }
    if (!this.#index) throw new SearchUnavailable('the search index is being built');
    return this.#index;
  }

  #lose(index: SearchIndex, isDamaged: boolean, error: unknown): void {
    this.#log.error({ err: error }, 'the search index was lost; search is unavailable until it is rebuilt');
    this.#index = undefined;
    void index.close();
    void this.#try(isDamaged, FIRST_PAUSE_MILLISECONDS);
  }

  /**
   * Opens the index, and retries on failure.
   *
   * @param isDamaged rebuild it, even if it can be opened
   * @param pause delay of the retry, in milliseconds
   */
  #try(isDamaged: boolean, pause: number): Promise<void> {
    this.#began = performance.now();
    const attempt = this.#obtain(isDamaged);
    this.#attempt = attempt;
    attempt.catch(async (error) => {
      if (this.#stop.signal.aborted) return;
      this.#log.error({ err: error, nextTryInSeconds: pause / 1_000 }, 'the search index cannot be opened');
      try {
        await sleep(pause, undefined, { ref: false, signal: this.#stop.signal });
      } catch {
        return; // Closed.
      }
      void this.#try(isDamaged, Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS));
    });
    return attempt;
  }

  async #obtain(isDamaged: boolean): Promise<void> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    const index = isDamaged ? undefined : await this.#openKept();
    if (index) {
      this.#index = index;
      return;
    }
    this.#log.info('building the search index');
    await this.#source.rebuild(signal, this.#begun.resolve);
    this.#index = await this.#source.open();
    this.#log.info('the search index is open');
  }

  /** Opens the existing index; undefined if it has to be built. */
  async #openKept(): Promise<SearchIndex | undefined> {
    try {
      return await this.#source.open();
    } catch (error) {
      if (isUnusable(error)) return undefined;
      throw error;
    }
  }
}

/**
 * Whether an index has to be built again, by the error of opening it. A temporary failure, such as too many open files, does
 * not mean that it is damaged.
 */
export function isUnusable(error: unknown): boolean {
  return error instanceof SearchIndexFormatError || error instanceof SearchIndexDamaged;
}
