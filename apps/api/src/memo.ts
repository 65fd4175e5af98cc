import { LRUCache } from 'lru-cache';

/** Finds something out, or gives what is known under this key. */
export type Memo<Value> = (key: string, find: () => Promise<Value>) => Promise<Value>;

/**
 * Remembers, by key, what takes long to find out: who asks meanwhile shares the work, and what failed is tried again.
 *
 * @param max values that are kept; the least recently used are evicted
 */
export function createMemo<Value extends object>(max: number): Memo<Value> {
  const known = new LRUCache<string, Value, () => Promise<Value>>({
    max,
    // Whoever waits for a value gets it, though others may have evicted it.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: find }) => find(),
  });
  return (key, find) => known.forceFetch(key, { context: find });
}
