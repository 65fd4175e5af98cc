import { describe, expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../test-support/use-temporary-database.ts';
import { listEditions, servedEditionId } from './edition.ts';
import { rollBack, serveNewEdition } from './serve-edition.ts';
import { sweepEditions } from './sweep-editions.ts';

const { database } = useTemporaryDatabase({ tables: true });

/** Begins an edition with a text in it, as a publish does. */
async function begin(id: number): Promise<void> {
  await database()('editions').insert({ id, key: `key-${id}`, status: 'writing' });
  await database()('texts').insert({ edition: id, language: 'en', form: 'person', position: 1, text: '{}' });
  const link = { source_form: 'event', source: 1, target_form: 'person', ordinal: 0, target: 1 };
  await database()('links').insert({ edition: id, ...link });
}

/** Publishes an edition and serves it. */
async function publish(id: number): Promise<void> {
  await begin(id);
  const published_at = `2026-01-01T00:00:0${id}.000Z`;
  await database()('editions').where({ id }).update({ status: 'published', published_at });
  await database()('served').insert({ slot: 1, edition: id }).onConflict('slot').merge();
}

const kept = async () => (await listEditions(database())).map(({ id }) => id);

describe('sweeping', () => {
  test('keeps the newest editions', async () => {
    for (const id of [1, 2, 3, 4]) await publish(id);
    expect(await sweepEditions(database(), 2)).toEqual([1, 2]);
    expect(await kept()).toEqual([4, 3]);
  });

  test('keeps the served one, and the one served before it, before the newest', async () => {
    for (const id of [1, 2, 3, 4, 5]) await publish(id);
    await rollBack(database());
    await rollBack(database());
    expect(await servedEditionId(database())).toBe(3);
    expect(await sweepEditions(database(), 2, 1)).toEqual([2, 4, 5]);
    expect(await kept()).toEqual([3, 1]);
  });

  test('deletes what a killed publish left, rows and all', async () => {
    await publish(1);
    await begin(2);
    expect(await sweepEditions(database(), 2)).toEqual([2]);
    for (const table of ['texts', 'links']) expect(await database()(table).pluck('edition')).toEqual([1]);
    expect(await database()('editions').pluck('id')).toEqual([1]);
  });

  test('of nothing is nothing', async () => {
    expect(await sweepEditions(database(), 2)).toEqual([]);
  });
});

describe('serving a new edition', () => {
  const counts = { person: 0, subject: 0, location: 0, event: 0 };

  test('publishes it and switches to it', async () => {
    await publish(1);
    await begin(2);
    const edition = await serveNewEdition(database(), { id: 2, key: 'key-2', counts, total: 0 });
    expect(edition).toMatchObject({ id: 2, key: 'key-2', archive: undefined });
    expect(await servedEditionId(database())).toBe(2);
    expect(await kept()).toEqual([2, 1]);
  });

  test('gives it a second of its own', async () => {
    const seconds: number[] = [];
    for (const id of [1, 2]) {
      await begin(id);
      const { publishedAt } = await serveNewEdition(database(), { id, key: `key-${id}`, counts, total: 0 });
      seconds.push(Math.floor(publishedAt.getTime() / 1000));
    }
    expect(seconds[1]).toBeGreaterThan(seconds[0] ?? 0);
  });
});

describe('rolling back', () => {
  test('serves the edition before', async () => {
    await publish(1);
    await publish(2);
    expect(await rollBack(database())).toMatchObject({ id: 1, key: 'key-1' });
    expect(await servedEditionId(database())).toBe(1);
    expect(await kept()).toEqual([2, 1]);
  });

  test('is refused where there is no edition before, or none at all', async () => {
    await expect(rollBack(database())).rejects.toThrow('nothing has been published yet');
    await publish(7);
    await expect(rollBack(database())).rejects.toThrow('no edition before edition 7 is kept');
  });

  test('never serves an edition that is being written', async () => {
    await begin(1);
    await publish(2);
    await expect(rollBack(database())).rejects.toThrow('no edition before edition 2 is kept');
  });
});
