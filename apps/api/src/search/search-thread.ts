import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SearchResult } from './index-reader.ts';
import type { Query } from './query.ts';
import type { SearchIndex } from './search-index.ts';
import type { SearchRequest, WorkerOptions } from './search-worker.ts';
import type { Suggestion } from './suggest.ts';

/** A query took longer than it may, and was stopped. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';

  /** @param milliseconds what it was given */
  constructor(milliseconds: number) {
    super(`search: the query took more than ${milliseconds} ms and was stopped`);
  }
}

/** The worker beside this file: the built one, or the source where sources are run. */
const WORKER = new URL(`./search-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * A thread that answers questions one at a time, in the order they are asked. SQLite answers synchronously and cannot
 * be interrupted, so a query that takes too long is stopped by ending its thread; the next one starts another.
 */
export class SearchThread implements SearchIndex {
  readonly #options: WorkerOptions;
  readonly #timeout: number;
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param timeout milliseconds that a question may take */
  constructor(options: WorkerOptions, timeout: number) {
    this.#options = options;
    this.#timeout = timeout;
  }

  /** Starts the thread, which the next question otherwise does. */
  async start(): Promise<Worker> {
    const worker = new Worker(WORKER, { workerData: this.#options });
    await once(worker, 'message');
    this.#worker = worker;
    return worker;
  }

  search(query: Query, offset: number, limit: number): Promise<SearchResult> {
    return this.#ask({ ask: 'search', query, offset, limit });
  }

  suggest(field: string, prefix: string, limit: number): Promise<Suggestion[]> {
    return this.#ask({ ask: 'suggest', field, prefix, limit });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await this.#worker?.terminate();
  }

  #ask<Answer>(request: SearchRequest): Promise<Answer> {
    if (this.#closed) return Promise.reject(new Error('search: the index is closed'));
    const answer = this.#turn.then(() => this.#answer<Answer>(request));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #answer<Answer>(request: SearchRequest): Promise<Answer> {
    const worker = this.#worker ?? (await this.start());
    const signal = AbortSignal.timeout(this.#timeout);
    worker.postMessage(request);
    try {
      const [answer]: Answer[] = await once(worker, 'message', { signal });
      if (answer === undefined) throw new Error('search: the thread gave no answer');
      return answer;
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      throw signal.aborted ? new SearchTimeout(this.#timeout) : error;
    }
  }
}
