import type { DatabaseSync } from 'node:sqlite';
import { isDamage, openIndexFile } from '../file/index-file.ts';
import { RecordGraph } from '../read/record-graph.ts';
import { SearchIndexDamaged } from './search-errors.ts';
import type { SearchIndex } from './search-index.ts';
import { SearchThread } from './search-thread.ts';

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
    search: (...question) => thread.search(...question),
    facets: (...question) => thread.facets(...question),
    suggest: (...question) => thread.suggest(...question),
    look: async (look) => reportDamage(() => look(graph)),
    get waiting() {
      return thread.waiting;
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
