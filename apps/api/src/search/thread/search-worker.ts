import { parentPort, workerData } from 'node:worker_threads';
import { isDamage, openIndexFile, SearchIndexFormatError } from '../file/index-file.ts';
import { createIndexReader, type IndexReader } from '../read/index-reader.ts';
import { buffersOf, type GraphData } from '../read/record-graph.ts';
import type { QueryAnswers, QueryArguments } from './search-index.ts';

export interface WorkerOptions {
  file: string;
  cacheBytes: number;
}

/** A request to the thread of an index: a query, and its arguments. */
export interface SearchRequest<Name extends keyof QueryArguments = keyof QueryArguments> {
  query: Name;
  given: QueryArguments[Name];
}

/** A reply of the thread: the result, with the memory used in bytes, or the failure. */
export type SearchReply<Answer> =
  | { answer: Answer; byteLength: number }
  | { failure: unknown; isDamage: boolean };

const { file, cacheBytes }: WorkerOptions = workerData;
type Reader = { [Name in keyof QueryArguments]: (...given: QueryArguments[Name]) => QueryAnswers[Name] };
let reader: IndexReader | undefined;

/** Opens the index, and returns the first reply of the thread. */
function start(): GraphData {
  reader = createIndexReader(file, cacheBytes);
  reader.warm();
  return reader.readGraph();
}

function answer<Name extends keyof QueryArguments>({ query, given }: SearchRequest<Name>) {
  const queries: Reader | undefined = reader;
  return queries?.[query](...given);
}

/** Replies with the result of `work`; the buffers of `moved` are transferred to the other thread. */
function reply<Result>(work: () => Result, moved?: (result: Result) => ArrayBuffer[]): void {
  try {
    const answer = work();
    parentPort?.postMessage({ answer, byteLength: reader?.byteLength ?? 0 }, moved?.(answer));
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
