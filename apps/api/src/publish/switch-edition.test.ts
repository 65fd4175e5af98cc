import { describe, expect, test } from 'vitest';
import { bareEditions } from '../../testing/bare-editions.ts';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { listEditions, readServed, servedEditionId } from '../storage/edition.ts';
import { publishEdition, rollBack, switchEdition } from './switch-edition.ts';

const { database } = useTemporaryDatabase({ tables: true });
const { begin, leased, publish } = bareEditions(database);

const kept = async () => (await listEditions(database())).map(({ id }) => id);

describe('publishing an edition', () => {
  test('serves it, and increases the sequence', async () => {
    await publish(1);
    expect(await readServed(database())).toEqual({ edition: 1, sequence: 1 });
    await publish(2);
    expect(await readServed(database())).toEqual({ edition: 2, sequence: 2 });
    expect(await kept()).toEqual([2, 1]);
  });

  test('can hold it for a later switch', async () => {
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

  test('gives every edition a different second', async () => {
    const publishedAt = await leased(async (lease) => {
      const seconds: number[] = [];
      for (const id of [1, 2]) {
        await begin(id, lease.fence);
        const edition = await publishEdition(lease, { id }, { content: 'x', source: 'x', hold: false });
        seconds.push(Math.floor(edition.publishedAt.getTime() / 1000));
      }
      return seconds;
    });
    expect(publishedAt[1]).toBeGreaterThan(publishedAt[0] ?? 0);
  });

  test('rejects an edition of another lease', async () => {
    await begin(1, 1_000);
    const theirs = leased((lease) =>
      publishEdition(lease, { id: 1 }, { content: 'x', source: 'x', hold: false }),
    );
    await expect(theirs).rejects.toThrow('edition 1 went missing while it was being published');
    expect(await readServed(database())).toBeUndefined();
  });
});

describe('switching', () => {
  test('goes back and forward', async () => {
    for (const id of [1, 2, 3]) await publish(id);
    expect(await leased((lease) => switchEdition(lease, 1))).toMatchObject({ id: 1 });
    expect(await leased((lease) => switchEdition(lease, 3))).toMatchObject({ id: 3 });
    expect(await readServed(database())).toEqual({ edition: 3, sequence: 5 });
  });

  test('rejects an edition that is not kept', async () => {
    const away = () => leased((lease) => switchEdition(lease, 7));
    await expect(away()).rejects.toThrow('nothing has been published yet');
    await publish(1);
    await begin(7);
    await expect(away()).rejects.toThrow('edition 7 is not kept; expected one of 1');
  });
});

describe('rolling back', () => {
  test('serves the previous edition', async () => {
    await publish(1);
    await publish(2);
    expect(await leased(rollBack)).toMatchObject({ id: 1, key: 'key-1' });
    expect(await servedEditionId(database())).toBe(1);
    expect(await kept()).toEqual([2, 1]);
  });

  test('fails without a previous edition', async () => {
    await expect(leased(rollBack)).rejects.toThrow('nothing has been published yet');
    await publish(7);
    await expect(leased(rollBack)).rejects.toThrow('no edition before edition 7 is kept');
  });

  test('skips a held edition', async () => {
    await publish(1);
    await publish(2, { hold: true });
    await publish(3);
    expect(await leased(rollBack)).toMatchObject({ id: 1 });
  });

  test('skips an unfinished edition', async () => {
    await begin(1);
    await publish(2);
    await expect(leased(rollBack)).rejects.toThrow('no edition before edition 2 is kept');
  });
});
