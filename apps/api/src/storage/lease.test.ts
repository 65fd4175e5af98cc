import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { LeaseLostError, withLease } from './lease.ts';

const { database } = useTemporaryDatabase();
const options = { term: 400 };

/** Takes over the lease, like another process. */
const takeOver = () =>
  database()('leases')
    .where({ name: 'publish' })
    .update({ holder: 'another', until: 2 ** 50 })
    .increment('fence');

const HELD = 'another publish into this database is running';

test('a renewed lease is refused to others, and is released even after a failure', async () => {
  const work = async () => {
    await sleep(2 * options.term);
    const waits: number[] = [];
    const second = withLease(
      database(),
      { ...options, onWait: (seconds) => waits.push(seconds) },
      async () => {},
    );
    await expect(second).rejects.toThrow(HELD);
    expect(waits).toEqual([1]);
    throw new Error('the work failed');
  };
  await expect(withLease(database(), options, work)).rejects.toThrow('the work failed');
  expect(await withLease(database(), options, async () => 'free')).toBe('free');
});

/** Sets the end of the lease by the clock of a node, which may be wrong. */
const setEnd = async (hours: number) => {
  const until = database().raw("cast(unixepoch('subsec') * 1000 as integer) + ?", [hours * 3_600_000]);
  await database()('leases').where({ name: 'publish' }).update({ until });
};

test.each([-1, 1])(
  'a lease that is not renewed is taken over after a term, with a clock off by %i h',
  async (hours) => {
    await takeOver();
    await setEnd(hours);
    const waits: number[] = [];
    const started = performance.now();
    const onWait = (seconds: number) => waits.push(seconds);
    const taken = { ...options, onWait, signal: AbortSignal.timeout(20_000) };
    expect(await withLease(database(), taken, async ({ fence }) => fence)).toBe(2);
    expect(performance.now() - started).toBeGreaterThanOrEqual(options.term);
    expect(waits).toEqual([1]);
  },
);

test.each([-1, 1])('a renewed lease is not taken over, with a clock off by %i h', async (hours) => {
  await takeOver();
  await setEnd(hours);
  const renewing = setInterval(() => void setEnd(hours), 50);
  try {
    const signal = AbortSignal.timeout(20_000);
    await expect(withLease(database(), { ...options, signal }, async () => {})).rejects.toThrow(HELD);
  } finally {
    clearInterval(renewing);
  }
});

test('a lost lease aborts the work, rejects its commits, and does not affect the new holder', async () => {
  const work = withLease(database(), options, async ({ signal, transaction }) => {
    await takeOver();
    const step = transaction((open) => open('archive').update({ versions: 77 }));
    await expect(step).rejects.toThrow(LeaseLostError);
    while (!signal.aborted) await sleep(20);
    signal.throwIfAborted();
  });
  await expect(work).rejects.toThrow(/another process has taken over the publish lease/);
  expect(await database()('archive').first('versions')).toEqual({ versions: 0 });
  expect(await database()('leases').where({ name: 'publish' }).first('holder', 'until')).toEqual({
    holder: 'another',
    until: 2 ** 50,
  });
});

test('a released lease commits nothing more, and stays free', async () => {
  const { transaction } = await withLease(database(), options, async (lease) => lease);
  const late = transaction((open) => open('archive').update({ versions: 77 }), 'after');
  await expect(late).rejects.toThrow(LeaseLostError);
  expect(await database()('archive').first('versions')).toEqual({ versions: 0 });
  expect(await database()('leases').where({ name: 'publish' }).first('until')).toEqual({ until: 0 });
});

test('work that fails once the lease is lost says that it is', async () => {
  const work = withLease(database(), options, async () => {
    await takeOver();
    throw new Error('edition 1 does not have the person at position 1');
  });
  await expect(work).rejects.toThrow(LeaseLostError);
});

test('an abort ends the wait, and releases the lease', async () => {
  const stop = new AbortController();
  const working = withLease(database(), { ...options, signal: stop.signal }, async ({ signal }) => {
    const waiting = withLease(database(), { ...options, signal: stop.signal }, async () => {});
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    signal.throwIfAborted();
  });
  await expect(working).rejects.toThrow('stopped');
  expect(await database()('leases').where({ name: 'publish' }).first('until')).toEqual({ until: 0 });
});
