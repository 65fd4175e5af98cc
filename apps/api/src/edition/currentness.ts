import type { Database } from '../storage/connect.ts';
import { confirmCurrent } from '../storage/replication.ts';

/** Whether what a server has read is current: see `createCurrentness`. */
export type Currentness = ReturnType<typeof createCurrentness>;

/**
 * Knows when it was last confirmed that the database has all that was written.
 *
 * @param maxStale milliseconds after which a server that cannot confirm it stops responding; off if undefined
 */
export function createCurrentness(database: Database, maxStale: number | undefined) {
  /** The latest time at which the database had all that was written, as far as is known. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let doubt = '';
  /** Whether it has not been confirmed for `maxStale` that the database is current: then nothing may be served. */
  const isStale = () => maxStale !== undefined && performance.now() - confirmedAt > maxStale;

  return {
    isStale,
    /** Why it is not confirmed; undefined unless it is stale. */
    doubt: () => (isStale() ? `it is not confirmed that the database is current: ${doubt}` : undefined),
    /**
     * Confirms that what `read` reads and serves is current.
     *
     * @throws the errors of the database and of `read`
     */
    async confirm(read: () => Promise<void>): Promise<void> {
      try {
        const asked = performance.now();
        const behind = maxStale === undefined ? 0 : await confirmCurrent(database);
        // What was confirmed has to be served, too.
        await read();
        confirmedAt = Math.max(confirmedAt, asked - behind);
        doubt = behind > 0 ? `it is ${behind / 1_000} s behind` : 'it has not answered since';
      } catch (error) {
        doubt = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
  };
}
