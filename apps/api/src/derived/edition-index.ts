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

/** Whoever asks while an index is being opened or built waits for it, but not longer than this after it was begun. */
const PATIENCE_MILLISECONDS = 1_000;

/** After a try that failed, the next one waits this long; after each more, twice as long … */
const FIRST_PAUSE_MILLISECONDS = 1_000;
/** … up to this. */
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** Where an index comes from. */
export interface IndexSource {
  /** @throws SearchIndexFormatError or SearchIndexDamaged when there is none that can be read */
  open(): Promise<SearchIndex>;
  /** Builds the index in place of any there is. */
  rebuild(signal: AbortSignal): Promise<void>;
}

/**
 * The search index of an edition. It is opened, and built where there is none, when it is first needed; when it is lost
 * later, it is built again, with longer and longer pauses while that fails. Meanwhile questions are refused.
 */
export class EditionIndex implements SearchIndex {
  readonly #source: IndexSource;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #index: SearchIndex | undefined;
  /** The last try to open it. */
  #attempt: Promise<void> | undefined;
  /** When what is under way began. */
  #began = 0;

  /** @param log knows the edition */
  constructor(source: IndexSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** Whether it can be asked at this moment. */
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
   * Opens it, and builds it where need be.
   *
   * @throws what the last try failed with; the next one comes by itself
   */
  async open(): Promise<void> {
    await (this.#attempt ?? this.#try(false, FIRST_PAUSE_MILLISECONDS));
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

  /** The index, if it is there before patience ends. */
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
    if (!this.#index) throw new SearchUnavailable('it is being built');
    return this.#index;
  }

  #lose(index: SearchIndex, isDamaged: boolean, error: unknown): void {
    this.#log.error({ err: error }, 'the search index was lost; there is no search until it is back');
    this.#index = undefined;
    void index.close();
    void this.#try(isDamaged, FIRST_PAUSE_MILLISECONDS);
  }

  /**
   * Tries to open the index, and goes on trying.
   *
   * @param isDamaged it has to be built, even if it can be opened
   * @param pause milliseconds until the next try, if this one fails
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
        return; // Closed meanwhile.
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
    await this.#source.rebuild(signal);
    this.#index = await this.#source.open();
    this.#log.info('the search index is open');
  }

  /** Opens the index that this node has; undefined where there is none, or one that has to be built again. */
  async #openKept(): Promise<SearchIndex | undefined> {
    try {
      return await this.#source.open();
    } catch (error) {
      // That it cannot be opened now, for want of file handles say, does not make it a bad one.
      if (error instanceof SearchIndexFormatError || error instanceof SearchIndexDamaged) return undefined;
      throw error;
    }
  }
}
