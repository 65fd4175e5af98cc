import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type Database, isSqlite } from './connect.ts';
import { retryConflicts } from './database-errors.ts';

/** What a lease gives the right to: to write editions, or to change the tables. */
export type LeaseName = 'publish' | 'migrate';

/** How long a lease lasts that is not renewed, in milliseconds. */
export const TERM = 10_000;

/** Renewals in a term: a publish that is refused is so after the time of one. */
const RENEWALS = 8;

/** While another process holds the lease, it is looked at this often. */
const LOOK_MILLISECONDS = 250;

/** How a lease is asked for. */
export interface LeaseOptions {
  name: LeaseName;
  /** How long it lasts when it is not renewed, in milliseconds. */
  term?: number;
  /**
   * How long to wait for a process that holds and renews it, in milliseconds. Without, such a process is a reason
   * to give up at once; one that does not renew it is dead, and its lease is taken over when it has run out.
   */
  patience?: number;
  /** Called when another process is found to hold the lease, with the most seconds that it will be watched. */
  onWait?: (seconds: number) => void;
  /** Aborted: the work is to stop. */
  signal?: AbortSignal | undefined;
}

/** A lease that is held. */
export interface Lease {
  readonly database: Database;
  /** Rises with every holder. */
  readonly fence: number;
  /** Aborted when the lease is lost, or when the work is to stop. */
  readonly signal: AbortSignal;
  /**
   * Runs a transaction that is committed only if the lease is still ours. It is tried again after a conflict or a cut
   * connection, so that `work` may run more than once, and may find done what it does.
   *
   * @throws LeaseLostError when another process has taken the lease over
   */
  transaction<Result>(work: (transaction: Knex.Transaction) => Promise<Result>): Promise<Result>;
}

/** Another process holds the lease, and is alive. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';
}

/** Another process has taken the lease over: what this one was doing is not its to do any more. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor(name: LeaseName) {
    super(
      `another process has taken over the ${name} lease, because this one did not renew it in time; ` +
        'what it had begun is not served, and the next publish removes it',
    );
  }
}

/** The row of a lease, and the time at which it was read. */
interface Holding {
  holder: string | null;
  fence: number;
  until: number;
  now: number;
}

/** Makes the table of the leases, which nobody holds. As many processes as like may do so at once. */
export async function ensureLeases(database: Database): Promise<void> {
  const form = isSqlite(database) ? '' : ' engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin';
  await retryConflicts(() =>
    database.raw(
      'create table if not exists `leases` (`name` varchar(16) not null primary key, ' +
        '`holder` char(36), `fence` bigint not null default 0, `until` bigint not null default 0)' +
        form,
    ),
  );
  const names: LeaseName[] = ['publish', 'migrate'];
  await retryConflicts(async () => {
    await database('leases')
      .insert(names.map((name) => ({ name })))
      .onConflict('name')
      .ignore();
  });
}

/**
 * Runs `work` while this process holds a lease. The lease is a row, held by the database's clock and renewed over the
 * pool: it needs no connection of its own, and holds on every node of a cluster.
 *
 * @throws LeaseHeldError when another process holds the lease, and went on doing so; LeaseLostError from a
 *   transaction of the lease; else what `work` throws
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
      if ((await extend(database, row, term)) === 0) lost.abort(new LeaseLostError(name));
    } catch {
      // The database does not answer: a later try may go through, and every step that counts looks for itself.
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, term / RENEWALS);

  const transaction: Lease['transaction'] = (step) =>
    retryConflicts(
      () =>
        database.transaction(async (open) => {
          if ((await extend(open, row, term)) !== 1) throw new LeaseLostError(name);
          return await step(open);
        }),
      { afterCut: true, signal },
    );
  try {
    return await work({ database, fence: ours.fence, signal, transaction });
  } finally {
    clearInterval(timer);
    await renewing;
    // When this fails, the lease runs out by itself: no reason to hide how the work ended.
    await database('leases')
      .where(row)
      .update({ until: 0 })
      .catch(() => {});
  }
}

/** Takes the lease as soon as nobody holds it. */
async function take(
  database: Database,
  { name, term, patience, onWait, signal }: LeaseOptions & { term: number },
): Promise<{ holder: string; fence: number }> {
  const holder = randomUUID();
  const started = performance.now();
  let first: Holding | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const held = await readHolding(database, name);
    if (held.holder === holder) return { holder, fence: held.fence };
    if (held.until < held.now) {
      const fence = await tryTake(database, name, holder, term);
      if (fence !== undefined) return { holder, fence };
      continue;
    }
    if (!first) onWait?.(Math.ceil((patience ?? held.until - held.now) / 1_000));
    first ??= held;
    const isAlive = held.fence !== first.fence || held.until > first.until;
    if (patience === undefined ? isAlive : performance.now() - started > patience) {
      throw new LeaseHeldError(`another process holds the ${name} lease of this database, and renews it`);
    }
    await sleep(Math.min(LOOK_MILLISECONDS, term / 4), undefined, signal && { signal }).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

async function readHolding(database: Database, name: LeaseName): Promise<Holding> {
  const holding: Holding | undefined = await retryConflicts(
    () =>
      database('leases')
        .where({ name })
        .first('holder', 'fence', 'until', database.raw(`${now(database)} as now`)),
    { afterCut: true },
  );
  if (!holding) throw new Error(`the table leases has no row for ${name}; archive-api migrate makes it`);
  return holding;
}

/** One UPDATE that finds the lease free, or does nothing. @returns the fence, in the first case */
async function tryTake(
  database: Database,
  name: LeaseName,
  holder: string,
  term: number,
): Promise<number | undefined> {
  const taking = () =>
    database.transaction(async (transaction) => {
      const taken = await transaction('leases')
        .where({ name })
        .whereRaw(`?? < ${now(database)}`, ['until'])
        .update({ holder, fence: transaction.raw('?? + 1', ['fence']), until: end(database, term) });
      if (taken !== 1) return undefined;
      const row: { fence: number } | undefined = await transaction('leases')
        .where({ name, holder })
        .first('fence');
      return row?.fence;
    });
  return await retryConflicts(taking, { afterCut: true });
}

/** Renews a lease that is still ours. @returns 1, or 0 when it is not */
async function extend(
  database: Knex,
  row: { name: LeaseName; holder: string; fence: number },
  term: number,
): Promise<number> {
  return await database('leases')
    .where(row)
    .update({ until: end(database, term) });
}

/** When a lease that is taken now runs out. */
function end(database: Knex, term: number): Knex.Raw {
  return database.raw(`${now(database)} + ?`, [term]);
}

/** The database's clock, in milliseconds since 1970; no time zone touches it. */
function now(database: Knex): string {
  return isSqlite(database)
    ? "cast(unixepoch('subsec') * 1000 as integer)"
    : "timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(3)) div 1000";
}
