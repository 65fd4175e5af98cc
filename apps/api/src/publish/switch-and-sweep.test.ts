import { describe, expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { listEditions, readServed, servedEditionId } from '../storage/edition.ts';
import type { Lease } from '../storage/lease.ts';
import { withPublishLease } from './publish-lease.ts';
import { sweepEditions, sweepLeftovers } from './sweep-editions.ts';
import { publishEdition, rollBack, switchEdition } from './switch-edition.ts';

const { database } = useTemporaryDatabase({ tables: true });

/** Does something under a lease of its own, as every command does. */
const leased = <Result>(work: (lease: Lease) => Promise<Result>) => withPublishLease(database(), {}, work);

/** Begins an edition with a text and a link in it, as a publish does. */
async function begin(id: number, fence = 0): Promise<void> {
  await database()('editions').insert({ id, key: `key-${id}`, status: 'writing', fence });
  await database()('texts').insert({ edition: id, language: 'en', form: 'person', position: 1, text: '{}' });
  const link = { source_form: 'event', source: 1, target_form: 'person', ordinal: 0, target: 1 };
  await database()('links').insert({ edition: id, ...link });
}

/** Publishes an edition and serves it, or holds it. */
async function publish(id: number, { hold = false } = {}): Promise<void> {
  await leased(async (lease) => {
    await begin(id, lease.fence);
    // Editions of one second would each wait for the next.
    await database()('editions')
      .where({ status: 'published' })
      .update({ published_at: '2026-01-01T00:00:00.000Z' });
    await publishEdition(lease, { id }, { content: 'x', hold });
  });
}

const kept = async () => (await listEditions(database())).map(({ id }) => id);

describe('sweeping', () => {
  test('keeps the newest editions', async () => {
    for (const id of [1, 2, 3, 4]) await publish(id);
    expect(await leased((lease) => sweepEditions(lease, 2))).toEqual([1, 2]);
    expect(await kept()).toEqual([4, 3]);
  });

  test('keeps the served one, and the one served before it, before the newest', async () => {
    for (const id of [1, 2, 3, 4, 5]) await publish(id);
    await leased(rollBack);
    await leased(rollBack);
    expect(await servedEditionId(database())).toBe(3);
    expect(await leased((lease) => sweepEditions(lease, 2, 1))).toEqual([2, 4, 5]);
    expect(await kept()).toEqual([3, 1]);
  });

  test('with one to keep, the served one alone is left', async () => {
    for (const id of [1, 2, 3]) await publish(id);
    expect(await leased((lease) => sweepEditions(lease, 1, 2))).toEqual([1, 2]);
    expect(await kept()).toEqual([3]);
  });

  test('leaves what was published under the same lease alone, held as it is', async () => {
    await publish(1);
    await leased(async (lease) => {
      await begin(2, lease.fence);
      await publishEdition(lease, { id: 2 }, { content: 'x', hold: true });
      expect(await sweepEditions(lease, 1)).toEqual([]);
    });
    expect(await kept()).toEqual([2, 1]);
    expect(await servedEditionId(database())).toBe(1);
  });

  test('deletes what a killed publish left, rows and all', async () => {
    await publish(1);
    await begin(2);
    await leased(sweepLeftovers);
    for (const table of ['texts', 'links']) expect(await database()(table).pluck('edition')).toEqual([1]);
    expect(await database()('editions').pluck('id')).toEqual([1]);
  });

  test('deletes rows whose edition is gone', async () => {
    await publish(1);
    for (const id of [2, 9]) await begin(id);
    await database()('editions').whereIn('id', [2, 9]).delete();
    await leased(sweepLeftovers);
    for (const table of ['texts', 'links']) expect(await database()(table).pluck('edition')).toEqual([1]);
  });

  test('leaves what a later lease is writing alone', async () => {
    await begin(1, 1_000);
    await leased(sweepLeftovers);
    expect(await database()('texts').pluck('edition')).toEqual([1]);
  });

  test('whoever lost the lease deletes nothing', async () => {
    for (const id of [1, 2, 3]) await publish(id);
    const late = leased(async (lease) => {
      await database()('leases').where({ name: 'publish' }).increment('fence');
      await sweepEditions(lease, 1);
    });
    await expect(late).rejects.toThrow('another process has taken over the publish lease');
    expect(await kept()).toEqual([3, 2, 1]);
  });

  test('of nothing is nothing', async () => {
    expect(await leased((lease) => sweepEditions(lease, 2))).toEqual([]);
    await leased(sweepLeftovers);
  });
});

describe('publishing an edition', () => {
  test('switches to it; the sequence rises with every switch', async () => {
    await publish(1);
    expect(await readServed(database())).toEqual({ edition: 1, sequence: 1 });
    await publish(2);
    expect(await readServed(database())).toEqual({ edition: 2, sequence: 2 });
    expect(await kept()).toEqual([2, 1]);
  });

  test('or holds it, for a later switch', async () => {
    await publish(1);
    await publish(2, { hold: true });
    expect(await readServed(database())).toEqual({ edition: 1, sequence: 1 });
    expect((await listEditions(database())).map(({ id, isHeld }) => [id, isHeld])).toEqual([
      [2, true],
      [1, false],
    ]);
    await leased((lease) => switchEdition(lease, 2));
    expect(await readServed(database())).toEqual({ edition: 2, sequence: 2 });
    expect((await listEditions(database())).map(({ isHeld }) => isHeld)).toEqual([false, false]);
  });

  test('gives it a second of its own', async () => {
    const publishedAt = await leased(async (lease) => {
      const seconds: number[] = [];
      for (const id of [1, 2]) {
        await begin(id, lease.fence);
        const edition = await publishEdition(lease, { id }, { content: 'x', hold: false });
        seconds.push(Math.floor(edition.publishedAt.getTime() / 1000));
      }
      return seconds;
    });
    expect(publishedAt[1]).toBeGreaterThan(publishedAt[0] ?? 0);
  });

  test('is refused for an edition that another lease wrote, or that is gone', async () => {
    await begin(1, 1_000);
    const theirs = leased((lease) => publishEdition(lease, { id: 1 }, { content: 'x', hold: false }));
    await expect(theirs).rejects.toThrow('edition 1 went missing while it was being published');
    expect(await readServed(database())).toBeUndefined();
  });
});

describe('switching', () => {
  test('back and forward', async () => {
    for (const id of [1, 2, 3]) await publish(id);
    expect(await leased((lease) => switchEdition(lease, 1))).toMatchObject({ id: 1 });
    expect(await leased((lease) => switchEdition(lease, 3))).toMatchObject({ id: 3 });
    expect(await readServed(database())).toEqual({ edition: 3, sequence: 5 });
  });

  test('to an edition that is not kept is refused', async () => {
    const away = () => leased((lease) => switchEdition(lease, 7));
    await expect(away()).rejects.toThrow('nothing has been published yet');
    await publish(1);
    await begin(7);
    await expect(away()).rejects.toThrow('edition 7 is not kept; expected one of 1');
  });
});

describe('rolling back', () => {
  test('serves the edition before', async () => {
    await publish(1);
    await publish(2);
    expect(await leased(rollBack)).toMatchObject({ id: 1, key: 'key-1' });
    expect(await servedEditionId(database())).toBe(1);
    expect(await kept()).toEqual([2, 1]);
  });

  test('is refused where there is no edition before, or none at all', async () => {
    await expect(leased(rollBack)).rejects.toThrow('nothing has been published yet');
    await publish(7);
    await expect(leased(rollBack)).rejects.toThrow('no edition before edition 7 is kept');
  });

  test('passes over an edition that was held', async () => {
    await publish(1);
    await publish(2, { hold: true });
    await publish(3);
    expect(await leased(rollBack)).toMatchObject({ id: 1 });
  });

  test('never serves an edition that is being written', async () => {
    await begin(1);
    await publish(2);
    await expect(leased(rollBack)).rejects.toThrow('no edition before edition 2 is kept');
  });
});
