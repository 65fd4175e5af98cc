import type { Database } from '../storage/connect.ts';
import { type Lease, LeaseHeldError, type LeaseOptions, withLease } from '../storage/lease.ts';

/** Another process publishes into the same database. */
export class PublishLockedError extends Error {
  override name = 'PublishLockedError';

  constructor() {
    super('another publish into this database is running; try again when it has finished');
  }
}

/** How the right to write editions is asked for. */
export type PublishLeaseOptions = Pick<LeaseOptions, 'onWait' | 'signal' | 'term'>;

/**
 * Runs `work` while this process alone may write, switch and sweep editions. A lease that another one holds is watched
 * for a term at most: a process that was killed does not renew it.
 *
 * @throws PublishLockedError when another process does so
 */
export async function withPublishLease<Result>(
  database: Database,
  options: PublishLeaseOptions,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  try {
    return await withLease(database, { ...options, name: 'publish' }, work);
  } catch (error) {
    throw error instanceof LeaseHeldError ? new PublishLockedError() : error;
  }
}
