import { once } from 'node:events';
import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Gate, GateClosedError } from '../../gate.ts';
import { isDamage, openIndexFile } from '../file/index-file.ts';
import { type GraphArrays, RecordGraph } from '../read/record-graph.ts';
import {
  SearchBusy,
  type SearchIndex,
  SearchIndexDamaged,
  SearchTimeout,
  SearchUnavailable,
} from './search-index.ts';
import type { SearchReply, SearchRequest, WorkerOptions } from './search-worker.ts';

/** What an index may use. */
export interface SearchIndexOptions {
  /** Milliseconds that a query may take, its waiting included; 1,000 if not given. */
  timeout?: number;
  /** Bytes kept in memory of fields and of the hits of last queries; 64 MiB if not given. */
  cacheBytes?: number;
  /** Queries that may wait at a time; 200 if not given. */
  mostWaiting?: number;
}

/**
 * Opens an index file.
 *
 * @throws SearchIndexFormatError or SearchIndexDamaged when the file is missing or no sound index of this program's
 *   format: build it (again); any other error that keeps it from being opened: try again
 */
export async function openSearchIndex(file: string, options: SearchIndexOptions = {}): Promise<SearchIndex> {
  const { timeout = 1_000, cacheBytes = 64 * 2 ** 20, mostWaiting = 200 } = options;
  const database = openIndexFile(file);
  const thread = new SearchThread({ file, cacheBytes }, { timeout, mostWaiting });
  try {
    const graph = await thread.start();
    return withGraph(
      thread,
      database,
      reportDamage(() => new RecordGraph(database, graph)),
    );
  } catch (error) {
    database.close();
    await thread.close();
    throw error;
  }
}

function withGraph(thread: SearchThread, database: DatabaseSync, graph: RecordGraph): SearchIndex {
  return {
    search: (query, offset, limit, signal) => thread.ask({ ask: 'search', query, offset, limit }, signal),
    facets: (query, of, language, limit, signal) =>
      thread.ask({ ask: 'facets', query, of, language, limit }, signal),
    suggest: (field, prefix, limit, signal) => thread.ask({ ask: 'suggest', field, prefix, limit }, signal),
    look: async (look) => reportDamage(() => look(graph)),
    get waiting() {
      return thread.waiting;
    },
    get byteLength() {
      return thread.byteLength + graph.byteLength;
    },
    async close() {
      await thread.close();
      database.close();
    },
  };
}

function reportDamage<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isDamage(error) ? new SearchIndexDamaged(error) : error;
  }
}

/** How long a thread may work on a question, and for how many. */
type ThreadLimits = Required<Pick<SearchIndexOptions, 'timeout' | 'mostWaiting'>>;

/** The worker beside this file: the built one, or the source where sources are run. */
const WORKER = new URL(`./search-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * A thread that answers questions one at a time, in the order they are asked. SQLite answers synchronously and cannot
 * be interrupted, so a query that takes too long is stopped by ending its thread; the next one starts another. A
 * question that waits costs nothing: it goes when its time is up, or when its asker has left. One that is being
 * answered by then goes on, for the thread and what it keeps in memory would be lost with it.
 */
class SearchThread {
  readonly #options: WorkerOptions;
  readonly #timeout: number;
  readonly #gate: Gate;
  #worker: Worker | undefined;
  /** Why no more can be answered: whoever waits need not find it out again. */
  #damage: SearchIndexDamaged | undefined;
  #closed = false;
  /** Bytes that the thread keeps in memory. */
  byteLength = 0;

  constructor(options: WorkerOptions, { timeout, mostWaiting }: ThreadLimits) {
    this.#options = options;
    this.#timeout = timeout;
    this.#gate = new Gate({ underWay: 1, waiting: mostWaiting, milliseconds: timeout });
  }

  get waiting(): number {
    return this.#gate.waiting;
  }

  /**
   * Starts the thread, which the next question otherwise does.
   *
   * @returns how the records of the index hang together
   * @throws SearchIndexDamaged when the file turns out to be; any other error that keeps the thread from starting
   */
  async start(): Promise<GraphArrays> {
    return (await this.#start()).graph;
  }

  /**
   * Asks the thread, when its turn has come.
   *
   * @throws as `SearchIndex.search` does
   */
  async ask<Answer>(request: SearchRequest, signal: AbortSignal | undefined): Promise<Answer> {
    if (this.#closed) throw new Error('search: the index is closed');
    const end = performance.now() + this.#timeout;
    const leave = await this.#gate.enter(signal).catch((error: unknown) => {
      throw error instanceof GateClosedError ? new SearchBusy(this.waiting) : error;
    });
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let isBegun = false;
    const begin = () => {
      isBegun = true;
    };
    this.#answer<Answer>(request, begin).finally(leave).then(resolve, reject);
    const expire = () => reject(isBegun ? new SearchTimeout(this.#timeout) : new SearchBusy(this.waiting));
    const timer = setTimeout(expire, Math.max(0, end - performance.now()));
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#gate.drain();
    await this.#worker?.terminate();
  }

  async #answer<Answer>(request: SearchRequest, onBegin: () => void): Promise<Answer> {
    if (this.#damage) throw this.#damage;
    const worker = this.#worker ?? (await this.#restart());
    onBegin();
    worker.postMessage(request);
    return await this.#replyOf<Answer>(worker, AbortSignal.timeout(this.#timeout));
  }

  /** A thread that could be started once may not be now: where files or memory are short. */
  async #restart(): Promise<Worker> {
    try {
      return (await this.#start()).worker;
    } catch (error) {
      throw error instanceof SearchIndexDamaged ? error : new SearchUnavailable(error);
    }
  }

  async #start(): Promise<{ worker: Worker; graph: GraphArrays }> {
    const worker = new Worker(WORKER, { workerData: this.#options });
    return { worker, graph: await this.#replyOf<GraphArrays>(worker) };
  }

  /** What the thread has to say; it is ended when it says nothing in time, or fails. */
  async #replyOf<Answer>(worker: Worker, signal?: AbortSignal): Promise<Answer> {
    try {
      const [reply]: SearchReply<Answer>[] = await once(worker, 'message', { signal });
      if (reply === undefined) throw new Error('search: the thread gave no answer');
      if ('failure' in reply) throw reply.isDamage ? new SearchIndexDamaged(reply.failure) : reply.failure;
      this.#worker = worker;
      this.byteLength = reply.byteLength;
      return reply.answer;
    } catch (error) {
      if (error instanceof SearchIndexDamaged) this.#damage = error;
      this.#worker = undefined;
      this.byteLength = 0;
      await worker.terminate();
      throw signal?.aborted ? new SearchTimeout(this.#timeout) : error;
    }
  }
}
