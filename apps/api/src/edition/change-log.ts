import { LRUCache } from 'lru-cache';
import type { Database } from '../storage/connect.ts';
import { type Edition, findNamedEdition } from '../storage/edition.ts';
import { type Changes, findChanges } from './changes.ts';

/** Comparisons kept in memory. */
const MOST_COMPARISONS = 4;

/** What happened between kept editions. */
export interface ChangeLog {
  /** What happened since the edition `since`; undefined when that is not kept, or is another that was never served. */
  since(since: number, edition: Edition): Promise<{ before: Edition; changes: Changes } | undefined>;
}

/** Compares the editions of a database, each two once as long as they are asked for. */
export function createChangeLog(database: Database): ChangeLog {
  const comparisons = new LRUCache<string, Promise<Changes>>({ max: MOST_COMPARISONS });

  const compare = (before: Edition, after: Edition): Promise<Changes> => {
    const pair = `${before.key} ${after.key}`;
    const kept = comparisons.get(pair);
    if (kept) return kept;
    const comparison = findChanges(database, before, after);
    comparisons.set(pair, comparison);
    comparison.catch(() => comparisons.delete(pair));
    return comparison;
  };
  return {
    async since(since, edition) {
      const before = since === edition.id ? edition : await findNamedEdition(database, since);
      return before && { before, changes: await compare(before, edition) };
    },
  };
}
