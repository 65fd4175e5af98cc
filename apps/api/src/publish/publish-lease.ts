import type { Database } from '../storage/connect.ts';
import { type Lease, LeaseHeldError, type LeaseOptions, withLease } from '../storage/lease.ts';

/** Another process is publishing into the same database. */
export class PublishLockedError extends Error {
  override name = 'PublishLockedError';

  constructor() {
    super('another publish into this database is running; try again when it has finished');
  }
}

/** Options for acquiring the publish lease. */
export type PublishLeaseOptions = Pick<LeaseOptions, 'onWait' | 'signal' | 'term'>;

/**
 * Runs `work` while holding the publish lease, the exclusive right to write, switch and delete editions. Waits at most
 * one term for the lease of a killed process to expire.
 *
 * @throws PublishLockedError if another process holds and renews the lease
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
