import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader, type SearchResult } from './index-reader.ts';
import type { Query } from './query.ts';
import type { Suggestion } from './suggest.ts';

/** What the thread of an index is started with. */
export interface WorkerOptions {
  file: string;
  cacheBytes: number;
}

/** A question to the thread of an index: what it is asked to do, and with what. */
export type SearchRequest =
  | { ask: 'search'; query: Query; offset: number; limit: number }
  | { ask: 'suggest'; field: string; prefix: string; limit: number };

/** The first message of the thread. */
export const READY = 'ready';

const { file, cacheBytes }: WorkerOptions = workerData;
const reader = new IndexReader(file, cacheBytes);
reader.warm();

function answer(request: SearchRequest): SearchResult | Suggestion[] {
  if (request.ask === 'suggest') return reader.suggest(request.field, request.prefix, request.limit);
  return reader.search(request.query, request.offset, request.limit);
}

parentPort?.on('message', (request: SearchRequest) => {
  parentPort?.postMessage(answer(request));
});
parentPort?.postMessage(READY);
