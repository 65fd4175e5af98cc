import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { retryConflicts } from './database-errors.ts';

/** The exclusive right that a lease grants: to write editions, or to change the tables. */
export type LeaseName = 'publish' | 'migrate';

/** Time after which a lease that is not renewed can be taken over, in milliseconds. */
export const TERM = 10_000;

/** Renewals per term; a rejected publish waits for one renewal. */
const RENEWALS = 8;

/** Polling interval while another process holds the lease. */
const POLL_MILLISECONDS = 250;

/** Options for acquiring a lease. */
export interface LeaseOptions {
  name: LeaseName;
  /** Time after which it can be taken over if it is not renewed, in milliseconds. */
  term?: number;
  /**
   * How long to wait for a process that holds and renews it, in milliseconds. By default, fails as soon as a renewal is
   * seen. A lease that is not renewed for a term is taken over, as its process is dead.
   */
  patience?: number;
  /** Called if another process holds the lease, with the maximum wait in seconds. */
  onWait?: (seconds: number) => void;
  /** Aborts the wait and the work. */
  signal?: AbortSignal | undefined;
}

/** An acquired lease. */
export interface Lease {
  readonly database: Database;
  /** Increases with every holder. */
  readonly fence: number;
  /** Aborted if the lease is lost, or the work is aborted. */
  readonly signal: AbortSignal;
  /**
   * Runs a transaction that is committed only if this process still holds the lease. It is retried after a conflict or a
   * lost connection, so `work` may run more than once, and may find its changes made already.
   *
   * @throws LeaseLostError if another process has taken over the lease
   */
  transaction<Result>(work: (transaction: Knex.Transaction) => Promise<Result>): Promise<Result>;
}

/** Another process holds and renews the lease. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';

  constructor(lease: LeaseName) {
    const process = lease === 'publish' ? 'publish into' : 'process that changes the tables of';
    super(`another ${process} this database is running; try again when it has finished`);
  }
}

/** Another process has taken over the lease; this one must stop. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor(name: LeaseName) {
    super(
      `another process has taken over the ${name} lease, because this one did not renew it in time; ` +
        'its unfinished work is not served, and the next publish deletes it',
    );
  }
}

/** The row of a lease. */
interface Holding {
  holder: string | null;
  fence: number;
  /** 0 if it is free; every renewal adds 1. There is no time in it, because the clocks of nodes of a cluster may differ. */
  until: number;
}

/**
 * Runs `work` while holding a lease. A lease is a row that its holder changes several times a term, over the pool: it needs
 * no dedicated connection, and works on every node of a cluster. It is taken over by a process that has seen no change for a
 * term of its own clock.
 *
 * @throws LeaseHeldError if another process holds and renews the lease; LeaseLostError from a transaction of the lease;
 *   any error of `work`
 */
export async function withLease<Result>(
  database: Database,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { name, term = TERM } = options;
  const ours = await take(database, { ...options, term });
  const lost = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, lost.signal]) : lost.signal;
  const row = { name, ...ours };

  let renewing = Promise.resolve();
  const renew = async () => {
    try {
      if ((await extend(database, row)) === 0) lost.abort(new LeaseLostError(name));
    } catch {
      // A later renewal may succeed, and every transaction checks the lease itself.
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, term / RENEWALS);

  const transaction: Lease['transaction'] = (step) =>
    retryConflicts(
      () =>
        database.transaction(async (open) => {
          if ((await extend(open, row)) !== 1) throw new LeaseLostError(name);
          return await step(open);
        }),
      { afterCut: true, signal },
    );
  try {
    return await work({ database, fence: ours.fence, signal, transaction });
  } finally {
    clearInterval(timer);
    await renewing;
    // If this fails, the lease is taken over after a term; the result of the work matters more.
    await database('leases')
      .where(row)
      .update({ until: 0 })
      .catch(() => {});
  }
}

/** Waits until the lease is free, or unchanged for a term, and takes it. */
async function take(
  database: Database,
  { name, term, patience, onWait, signal }: LeaseOptions & { term: number },
): Promise<{ holder: string; fence: number }> {
  const holder = randomUUID();
  const started = performance.now();
  let seen: Holding | undefined;
  let unchangedSince = started;
  for (;;) {
    signal?.throwIfAborted();
    const reading = performance.now();
    const held = await readHolding(database, name);
    if (held.holder === holder) return { holder, fence: held.fence };
    const isUnchanged = held.fence === seen?.fence && held.until === seen.until;
    if (held.until === 0 || (isUnchanged && reading - unchangedSince >= term)) {
      const fence = await tryTake(database, name, { ...held, holder });
      if (fence !== undefined) return { holder, fence };
      continue;
    }
    if (!seen) onWait?.(Math.ceil((patience ?? term) / 1_000));
    if (patience === undefined ? seen && !isUnchanged : performance.now() - started > patience) {
      throw new LeaseHeldError(name);
    }
    if (!isUnchanged) unchangedSince = performance.now();
    seen = held;
    await sleep(Math.min(POLL_MILLISECONDS, term / 4), undefined, signal && { signal }).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

async function readHolding(database: Database, name: LeaseName): Promise<Holding> {
  const holding: Holding | undefined = await retryConflicts(
    () => database('leases').where({ name }).first('holder', 'fence', 'until'),
    { afterCut: true },
  );
  if (!holding) throw new Error(`the table leases has no row for ${name}; run archive-api migrate`);
  return holding;
}

/**
 * Takes the lease with one UPDATE, if it is still as it was read.
 *
 * @returns the fence; undefined if the lease was taken or renewed since
 */
async function tryTake(
  database: Database,
  name: LeaseName,
  { holder, fence, until }: Holding,
): Promise<number | undefined> {
  const taking = () =>
    database.transaction(async (transaction) => {
      const taken = await transaction('leases')
        .where({ name, fence, until })
        .update({ holder, fence: fence + 1, until: until + 1 });
      return taken === 1 ? fence + 1 : undefined;
    });
  return await retryConflicts(taking, { afterCut: true });
}

/** Renews the lease if it is still ours. @returns 1, or 0 if it is not */
async function extend(
  database: Knex,
  row: { name: LeaseName; holder: string; fence: number },
): Promise<number> {
  return await database('leases').where(row).increment('until');
}
