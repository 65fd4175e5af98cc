import { describe, expect, test } from 'vitest';
import { bareEditions, COUNTS, PROVENANCE } from '../../testing/bare-editions.ts';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { findServedEdition, listEditions } from '../storage/edition.ts';
import { sweepEditions } from './sweep-editions.ts';
import { publishEdition, rollBack } from './switch-edition.ts';

const { database } = useTemporaryDatabase();
const { begin, leased, publish } = bareEditions(database);

const kept = async () => (await listEditions(database())).map(({ id }) => id);

describe('sweeping', () => {
  test('keeps the newest editions', async () => {
    for (const id of [1, 2, 3, 4]) await publish(id);
    expect(await leased((lease) => sweepEditions(lease, 2))).toEqual([1, 2]);
    expect(await kept()).toEqual([4, 3]);
  });

  test('prefers the served edition and the one before it to the newest', async () => {
    for (const id of [1, 2, 3, 4, 5]) await publish(id);
    await leased(rollBack);
    await leased(rollBack);
    expect((await findServedEdition(database()))?.id).toBe(3);
    expect(await leased((lease) => sweepEditions(lease, 2, 1))).toEqual([2, 4, 5]);
    expect(await kept()).toEqual([3, 1]);
  });

  test('keeps only the served edition with keep 1', async () => {
    for (const id of [1, 2, 3]) await publish(id);
    expect(await leased((lease) => sweepEditions(lease, 1, 2))).toEqual([1, 2]);
    expect(await kept()).toEqual([3]);
  });

  test('keeps a held edition published under the same lease', async () => {
    await publish(1);
    await leased(async (lease) => {
      await begin(2, lease.fence);
      await publishEdition(
        lease,
        { id: 2, key: 'key-2', counts: COUNTS, total: 1 },
        { source: 'x', provenance: PROVENANCE, hold: true },
      );
      expect(await sweepEditions(lease, 1)).toEqual([]);
    });
    expect(await kept()).toEqual([2, 1]);
    expect((await findServedEdition(database()))?.id).toBe(1);
  });
});
