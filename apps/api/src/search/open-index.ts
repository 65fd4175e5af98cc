import { openIndexFile } from './index-file.ts';
import type { SearchIndex } from './search-index.ts';
import { SearchThread } from './search-thread.ts';

/** What an index may use. */
export interface SearchIndexOptions {
  /** Milliseconds that a query may take before it is stopped; 1,000 if not given. */
  timeout?: number;
  /** Bytes kept in memory of fields and of the hits of last queries; 64 MiB if not given. */
  cacheBytes?: number;
}

/**
 * Opens an index file.
 *
 * @throws SearchIndexFormatError when the file is missing or no index of this program's format: build it (again)
 */
export async function openSearchIndex(file: string, options: SearchIndexOptions = {}): Promise<SearchIndex> {
  const { timeout = 1_000, cacheBytes = 64 * 2 ** 20 } = options;
  openIndexFile(file).close();
  const thread = new SearchThread({ file, cacheBytes }, timeout);
  await thread.start();
  return thread;
}
