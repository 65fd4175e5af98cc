import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost } from './outage.ts';

/** Attempts of one transaction. */
const ATTEMPTS = 20;

/** Most milliseconds between two of them. */
const LONGEST_PAUSE = 500;

/**
 * What MySQL, MariaDB and Galera say when another transaction was in the way: a deadlock (also a failed certification),
 * a lock that was not given in time, a row that changed since the snapshot.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']);

/** SQLITE_BUSY, in the low byte of its extended codes. */
const SQLITE_BUSY = 5;

/**
 * Does `work`, a transaction, again when it failed because of another one: such a transaction has done nothing.
 *
 * @param again.afterCut whether it may also be done again when the connection was cut, and it may have been done
 * @param again.signal aborted: the failure stands
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  { afterCut = false, signal }: { afterCut?: boolean; signal?: AbortSignal } = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const passes = isConflict(error) || (afterCut && isConnectionLost(error));
      if (!passes || attempt === ATTEMPTS || signal?.aborted) throw error;
    }
    await sleep(Math.random() * Math.min(LONGEST_PAUSE, 10 * 2 ** attempt));
  }
}

/** Whether another transaction was in the way. */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isBusy =
    'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY;
  return isBusy || ('code' in error && CONFLICTS.has(error.code));
}
