import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isConnectionLost } from './database-errors.ts';

/** Maximum number of attempts for a transaction. */
const ATTEMPTS = 20;

/** Maximum pause between attempts, in milliseconds. */
const LONGEST_PAUSE = 500;

/**
 * Retries `work`, a transaction, after a conflict with another one, which has rolled it back, and after a lost connection, when
 * it may have been committed.
 *
 * @param signal stops retrying
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayRetry = isConflict(error) || isConnectionLost(error);
      if (!mayRetry || attempt === ATTEMPTS || signal?.aborted) throw error;
    }
    await sleep(Math.random() * Math.min(LONGEST_PAUSE, 10 * 2 ** attempt));
  }
}
