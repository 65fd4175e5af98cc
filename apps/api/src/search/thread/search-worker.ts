import { parentPort, workerData } from 'node:worker_threads';
import type { Language } from '@archiefkast/types';
import type { FacetName } from '../fields/facets.ts';
import { isDamage, openIndexFile, SearchIndexFormatError } from '../file/index-file.ts';
import type { Query } from '../query/query.ts';
import { type FacetResult, IndexReader, type SearchResult } from '../read/index-reader.ts';
import { buffersOf, type GraphArrays } from '../read/record-graph.ts';
import type { Suggestion } from '../read/suggest.ts';

/** What the thread of an index is started with. */
export interface WorkerOptions {
  file: string;
  cacheBytes: number;
}

/** A question to the thread of an index: what it is asked to do, and with what. */
export type SearchRequest =
  | { ask: 'search'; query: Query; offset: number; limit: number }
  | { ask: 'facets'; query: Query; of: readonly FacetName[]; language: Language; limit: number }
  | { ask: 'suggest'; field: string | undefined; prefix: string; limit: number };

/** What the thread says: an answer, with the bytes that it keeps in memory, or why it has none. */
export type SearchReply<Answer> =
  | { answer: Answer; byteLength: number }
  | { failure: unknown; isDamage: boolean };

const { file, cacheBytes }: WorkerOptions = workerData;
let reader: IndexReader | undefined;

/** The first answer of the thread. */
function start(): GraphArrays {
  reader = new IndexReader(file, cacheBytes);
  reader.warm();
  return reader.readGraph();
}

function answer(request: SearchRequest): SearchResult | FacetResult | Suggestion[] | undefined {
  if (request.ask === 'facets')
    return reader?.facets(request.query, request.of, request.language, request.limit);
  if (request.ask === 'suggest') return reader?.suggest(request.field, request.prefix, request.limit);
  return reader?.search(request.query, request.offset, request.limit);
}

/** Says what `work` gives; what is in `moved` of it goes over to the thread that asks. */
function reply<Result>(work: () => Result, moved: (result: Result) => ArrayBuffer[] = () => []): void {
  try {
    const answer = work();
    parentPort?.postMessage({ answer, byteLength: reader?.byteLength ?? 0 }, moved(answer));
  } catch (failure) {
    parentPort?.postMessage({ failure, isDamage: isDamage(failure) || !isSound() });
  }
}

/** Whether there is still an index: of a file that was emptied, SQLite says that it has no such table. */
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
