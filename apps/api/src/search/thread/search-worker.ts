import { parentPort, workerData } from 'node:worker_threads';
import type { Language } from '@archiefkast/types';
import type { FacetName } from '../fields/facets.ts';
import { isDamage, openIndexFile, SearchIndexFormatError } from '../file/index-file.ts';
import type { Query } from '../query/query.ts';
import { type FacetResult, IndexReader, type SearchResult } from '../read/index-reader.ts';
import type { SoughtWord } from '../read/near-words.ts';
import { buffersOf, type GraphData } from '../read/record-graph.ts';
import type { MatchedRecord, SoughtRecord } from '../read/record-matcher.ts';
import type { SuggestedValues, Suggestion } from '../read/suggest.ts';

/** Options of the thread of an index. */
export interface WorkerOptions {
  file: string;
  cacheBytes: number;
}

/** A request to the thread of an index. */
export type SearchRequest =
  | { ask: 'search'; query: Query; offset: number; limit: number }
  | { ask: 'facets'; query: Query; of: readonly FacetName[]; language: Language; limit: number }
  | { ask: 'suggest'; values: SuggestedValues; prefix: string; limit: number }
  | { ask: 'nearest'; words: readonly SoughtWord[] }
  | { ask: 'match'; sought: SoughtRecord; limit: number };

/** A reply of the thread: the result, with the memory used in bytes, or the failure. */
export type SearchReply<Answer> =
  | { answer: Answer; byteLength: number }
  | { failure: unknown; isDamage: boolean };

const { file, cacheBytes }: WorkerOptions = workerData;
let reader: IndexReader | undefined;

/** Opens the index, and returns the first reply of the thread. */
function start(): GraphData {
  reader = new IndexReader(file, cacheBytes);
  reader.warm();
  return reader.readGraph();
}

function answer(
  request: SearchRequest,
): SearchResult | FacetResult | Suggestion[] | MatchedRecord[] | (string | undefined)[] | undefined {
  if (request.ask === 'nearest') return reader?.nearest(request.words);
  if (request.ask === 'match') return reader?.match(request.sought, request.limit);
  if (request.ask === 'facets')
    return reader?.facets(request.query, request.of, request.language, request.limit);
  if (request.ask === 'suggest') return reader?.suggest(request.values, request.prefix, request.limit);
  return reader?.search(request.query, request.offset, request.limit);
}

/** Replies with the result of `work`; the buffers in `moved` are transferred to the other thread. */
function reply<Result>(work: () => Result, moved: (result: Result) => ArrayBuffer[] = () => []): void {
  try {
    const answer = work();
    parentPort?.postMessage({ answer, byteLength: reader?.byteLength ?? 0 }, moved(answer));
  } catch (failure) {
    parentPort?.postMessage({ failure, isDamage: isDamage(failure) || !isSound() });
  }
}

/** Whether the file is still an index: for an emptied file, SQLite only reports a missing table. */
function isSound(): boolean {
  try {
    openIndexFile(file).close();
    return true;
  } catch (error) {
    return !(error instanceof SearchIndexFormatError);
  }
}

parentPort?.on('message', (request: SearchRequest) => reply(() => answer(request)));
reply(start, buffersOf);
