import { addAbortListener, once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Gate, GateClosedError } from '../../gate.ts';
import { isDamage, openIndexFile } from '../file/index-file.ts';
import { createRecordGraph, type GraphData } from '../read/record-graph.ts';
import {
  QUERIES,
  type QueryAnswers,
  type QueryArguments,
  SearchBusy,
  type SearchIndex,
  SearchIndexDamaged,
  SearchTimeout,
  SearchUnavailable,
} from './search-index.ts';
import type { SearchReply, SearchRequest, WorkerOptions } from './search-worker.ts';

export interface SearchIndexOptions {
  /** Timeout of a query in milliseconds, including its wait; 1,000 by default. */
  timeout?: number;
  /** Size of the cache of fields and of hits of recent queries, in bytes; 40 MiB by default. */
  cacheBytes?: number;
  /** Maximum number of waiting queries; 200 by default. */
  mostWaiting?: number;
}

/**
 * Opens an index file.
 *
 * @throws SearchIndexFormatError or SearchIndexDamaged if the file is missing, damaged or of another format, so that it
 *   has to be rebuilt; any other error on opening, which may be temporary
 */
export async function openSearchIndex(file: string, options: SearchIndexOptions = {}): Promise<SearchIndex> {
  const { timeout = 1_000, cacheBytes = 40 * 2 ** 20, mostWaiting = 200 } = options;
  const database = openIndexFile(file);
  const thread = createThread({ file, cacheBytes }, timeout, mostWaiting);
  try {
    const { answer } = await thread.start();
    const graph = reportDamage(() => createRecordGraph(database, answer));
    return {
      search: (query, offset, limit, signal) => thread.ask('search', [query, offset, limit], signal),
      facets: (query, of, language, limit, signal) =>
        thread.ask('facets', [query, of, language, limit], signal),
      years: (query, field, signal) => thread.ask('years', [query, field], signal),
      suggest: (values, prefix, limit, signal) => thread.ask('suggest', [values, prefix, limit], signal),
      nearest: (words, signal) => thread.ask('nearest', [words], signal),
      match: (sought, limit, texts, signal) => thread.ask('match', [sought, limit, texts], signal),
      look: async (look) => reportDamage(() => look(graph)),
      get waiting() {
        return thread.gate.waiting;
      },
      get byteLength() {
        return thread.byteLength() + graph.byteLength;
      },
      async close() {
        await thread.close();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    await thread.close();
    throw error;
  }
}

function reportDamage<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isDamage(error) ? new SearchIndexDamaged(error) : error;
  }
}

/** The worker file: built or source, like this file. */
const WORKER = new URL(`./search-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Creates a thread that executes requests one at a time, in order. SQLite is synchronous and cannot be interrupted, so a query
 * that times out is stopped by terminating its thread; the next one starts a new thread. A waiting request is dropped
 * when it times out or is aborted. A running one is not aborted, because the thread and its caches would be lost.
 */
function createThread(workerData: WorkerOptions, timeout: number, mostWaiting: number) {
  const gate = new Gate({ underWay: 1, waiting: mostWaiting, milliseconds: timeout });
  let running: Worker | undefined;
  /** The damage of the file, once detected: all further requests fail with it. */
  let damage: SearchIndexDamaged | undefined;
  let isClosed = false;
  let byteLength = 0;

  /**
   * Starts the thread, which the next request would do otherwise.
   *
   * @returns the thread, and its first answer: the graph of the records
   * @throws SearchIndexDamaged if the file is damaged; any other error on starting the thread
   */
  async function start(): Promise<{ worker: Worker; answer: GraphData }> {
    const worker = new Worker(WORKER, { workerData });
    return { worker, answer: await replyOf<GraphData>(worker) };
  }

  /**
   * Sends a request to the thread when it is its turn.
   *
   * @throws as queries of `SearchIndex` do
   */
  async function ask<Name extends keyof QueryArguments>(
    query: Name,
    given: QueryArguments[Name],
    signal: AbortSignal | undefined,
  ): Promise<QueryAnswers[Name]> {
    if (isClosed) throw new Error('search: the index is closed');
    QUERIES.publish('begin');
    try {
      return await wait({ query, given }, signal);
    } finally {
      QUERIES.publish('end');
    }
  }

  async function wait<Answer>(request: SearchRequest, signal: AbortSignal | undefined): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let isBegun = false;
    const begin = () => {
      isBegun = true;
    };
    const fail = (error: unknown) =>
      reject(error instanceof GateClosedError ? new SearchBusy(gate.waiting) : error);
    gate.pass(() => answer<Answer>(request, begin), signal).then(resolve, fail);
    const expire = () => reject(isBegun ? new SearchTimeout(timeout) : new SearchBusy(gate.waiting));
    using _timer = setTimeout(expire, timeout);
    using _listener = signal && addAbortListener(signal, () => reject(signal.reason));
    return await promise;
  }

  async function answer<Answer>(request: SearchRequest, onBegin: () => void): Promise<Answer> {
    if (damage) throw damage;
    // A new thread may fail to start when files or memory run out.
    const fail = (error: unknown) => {
      throw error instanceof SearchIndexDamaged ? error : new SearchUnavailable(error);
    };
    const worker = running ?? (await start().catch(fail)).worker;
    onBegin();
    worker.postMessage(request);
    return await replyOf<Answer>(worker, AbortSignal.timeout(timeout));
  }

  /** Waits for the reply of the thread, and terminates it on a timeout or failure. */
  async function replyOf<Answer>(worker: Worker, signal?: AbortSignal): Promise<Answer> {
    try {
      const [reply]: SearchReply<Answer>[] = await once(worker, 'message', { signal });
      if (reply === undefined) throw new Error('search: the thread sent no reply');
      if ('failure' in reply) throw reply.isDamage ? new SearchIndexDamaged(reply.failure) : reply.failure;
      running = worker;
      byteLength = reply.byteLength;
      return reply.answer;
    } catch (error) {
      if (error instanceof SearchIndexDamaged) damage = error;
      running = undefined;
      /** Memory used by the thread, in bytes. */
      byteLength = 0;
      await worker.terminate();
      throw signal?.aborted ? new SearchTimeout(timeout) : error;
    }
  }

  return {
    start,
    ask,
    gate,
    byteLength: () => byteLength,
    async close(): Promise<void> {
      isClosed = true;
      await gate.drain();
      await running?.terminate();
    },
  };
}
