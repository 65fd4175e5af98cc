import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isAccessDenied } from './database-errors.ts';
import { retryConflicts } from './retry-conflicts.ts';

/** Time after which a lease that is not renewed can be taken over, in milliseconds. */
const TERM = 10_000;

/** Renewals per term; a rejected publish waits for one renewal. */
const RENEWALS = 8;

/** Polling interval while another process holds the lease. */
const POLL_MILLISECONDS = 250;

/** Options for acquiring the lease. */
export interface LeaseOptions {
  /** Time after which it can be taken over if it is not renewed, in milliseconds. */
  term?: number;
  /** Called if another process holds the lease, with the maximum wait in seconds. */
  onWait?: (seconds: number) => void;
  /** Aborts the wait and the work. */
  signal?: AbortSignal | undefined;
}

/** The exclusive right to write editions, and to switch between them. */
export interface Lease {
  readonly database: Database;
  /** Increases with every holder. */
  readonly fence: number;
  /** Aborted if the lease is lost, or the work is aborted. */
  readonly signal: AbortSignal;
  /**
   * Runs a transaction that is committed only if this process still holds the lease, and so has held it since it took it: what it
   * has read of editions since then is still true. It is retried after a conflict or a lost connection, so `work` may run more than
   * once, and may find its changes made already.
   *
   * @param renewal whether the lease is renewed before `work` or after it; transactions that renew it before wait for each other
   * @throws LeaseLostError if another process has taken over the lease
   */
  transaction<Result>(
    work: (transaction: Knex.Transaction) => Promise<Result>,
    renewal?: 'before' | 'after',
  ): Promise<Result>;
}

/** Another process has taken over the lease; this one must stop. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor() {
    super(
      'another process has taken over the publish lease, because this one did not renew it in time; ' +
        'its unfinished work is not served, and the next publish deletes it',
    );
  }
}

/** The row of the lease. */
interface Holding {
  holder: string | null;
  fence: number;
  /** 0 if it is free; every renewal adds 1. There is no time in it, because the clocks of nodes of a cluster may differ. */
  until: number;
}

const NAME = { name: 'publish' } as const;

/**
 * Runs `work` while holding the lease: a row that its holder changes several times a term, over the pool. It needs
 * no dedicated connection, and works on every node of a cluster. It is taken over by a process that has seen no change for a
 * term of its own clock.
 *
 * @throws Error if another process holds and renews the lease; LeaseLostError if one has taken it over, in place of the error of
 *   `work`; else any error of `work`
 */
export async function withLease<Result>(
  database: Database,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { term = TERM } = options;
  const taken = await take(database, { ...options, term }).catch(explainDenied);
  const ours = { ...NAME, ...taken };
  const lost = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, lost.signal]) : lost.signal;
  /** @returns 1, or 0 if the lease is no longer ours */
  const extend = async (open: Knex) => await open('leases').where(ours).increment('until');

  let renewing = Promise.resolve();
  const renew = async () => {
    try {
      if ((await extend(database)) === 0) lost.abort(new LeaseLostError());
    } catch {
      // A later renewal may succeed, and every transaction checks the lease itself.
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, term / RENEWALS);

  const requireLease = async (open: Knex) => {
    if ((await extend(open)) !== 1) throw new LeaseLostError();
  };

  const transaction: Lease['transaction'] = (step, renewal = 'before') =>
    retryConflicts(
      () =>
        database.transaction(async (open) => {
          if (renewal === 'before') await requireLease(open);
          const result = await step(open);
          if (renewal === 'after') await requireLease(open);
          return result;
        }),
      signal,
    );
  try {
    return await work({ database, fence: ours.fence, signal, transaction });
  } catch (error) {
    // The process that has taken over deletes what this one was working on, which may fail in many ways.
    await renew();
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
    await renewing;
    // Without a holder, transactions that the work left running fail. If this fails, the lease is taken over after a term; the
    // result of the work matters more.
    await database('leases')
      .where(ours)
      .update({ holder: null, until: 0 })
      .catch(() => {});
  }
}

/** @throws the error, which says who may write if this user of the database may not */
function explainDenied(error: unknown): never {
  if (!isAccessDenied(error)) throw error;
  const message = `DATABASE_URL: this user may not write to the database; publish, switch and rollback need one that may (archive_publish): ${error.message}`;
  throw new Error(message, { cause: error });
}

/** Waits until the lease is free, or unchanged for a term, and takes it with one UPDATE, if it is still as it was read. */
async function take(
  database: Database,
  { term, onWait, signal }: LeaseOptions & { term: number },
): Promise<{ holder: string; fence: number }> {
  const holder = randomUUID();
  let seen: Holding | undefined;
  let unchangedSince = 0;
  for (;;) {
    signal?.throwIfAborted();
    const reading = performance.now();
    const held = await readHolding(database);
    if (held.holder === holder) return { holder, fence: held.fence };
    const { fence, until } = held;
    const isUnchanged = fence === seen?.fence && until === seen.until;
    if (until === 0 || (isUnchanged && reading - unchangedSince >= term)) {
      const free = () => database('leases').where({ ...NAME, fence, until });
      await retryConflicts(async () => await free().update({ holder, fence: fence + 1, until: until + 1 }));
      continue;
    }
    if (seen && !isUnchanged)
      throw new Error('another publish into this database is running; try again when it has finished');
    if (!seen) {
      onWait?.(Math.ceil(term / 1_000));
      unchangedSince = performance.now();
      seen = held;
    }
    await sleep(Math.min(POLL_MILLISECONDS, term / 4), undefined, signal && { signal }).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

async function readHolding(database: Database): Promise<Holding> {
  return await retryConflicts(
    async () => await database('leases').where(NAME).first('holder', 'fence', 'until'),
  );
}
