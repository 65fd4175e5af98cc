import { expect, test } from 'vitest';
import { useTemporaryDatabase } from '../../testing/use-temporary-database.ts';
import { hashContent, RecordDigests } from './record-digests.ts';

const { database } = useTemporaryDatabase({ tables: true });

const counts = { person: 3, subject: 0, location: 0, event: 0 };
const digest = (letter: string) => letter.repeat(22);

const earlier = {
  id: 1,
  key: 'key',
  counts: { ...counts, person: 4 },
  total: 4,
  publishedAt: new Date('2026-02-02T00:00:00Z'),
  isHeld: false,
  archive: undefined,
};

/** Digests after reading a previous edition with uuid `uN` at position N; `now` has the new positions. */
async function digestsAfter(now: Readonly<Record<string, number>>): Promise<RecordDigests> {
  for (const [position, letter, changed_at] of [
    [1, 'a', '2026-01-01T00:00:00.000Z'],
    [2, 'b', null],
    [3, 'c', '2025-01-01T00:00:00.000Z'],
    [4, 'd', null],
  ] as const) {
    const row = { edition: 1, kind: 'person', position, id: position, uuid: `u${position}`, changed_at };
    await database()('records').insert({ ...row, digest: digest(letter) });
  }
  const digests = new RecordDigests();
  const { signal } = new AbortController();
  const removed: string[] = [];
  await digests.readEarlier(
    database(),
    earlier,
    { kind: 'person', count: counts.person },
    (uuid) => now[uuid] ?? 0,
    (uuid) => removed.push(uuid),
    signal,
  );
  expect(removed).toEqual(['u1', 'u2', 'u3', 'u4'].filter((uuid) => !(uuid in now)));
  return digests;
}

test('an unchanged record keeps its time of change at any position', async () => {
  const digests = await digestsAfter({ u1: 2, u2: 1, u4: 3 });
  expect(digests.compare(2, digest('a'))).toEqual({
    isNew: false,
    isSame: true,
    changedAt: '2026-01-01T00:00:00.000Z',
  });
  // Its time of change was that of its edition.
  expect(digests.compare(1, digest('b')).changedAt).toBe('2026-02-02T00:00:00.000Z');
});

test('a new or changed record has the time of its edition', async () => {
  const digests = await digestsAfter({ u1: 1, u2: 2 });
  const different = { isSame: false, changedAt: null };
  expect(digests.compare(1, digest('b'))).toEqual({ ...different, isNew: false });
  expect(digests.compare(3, digest('c'))).toEqual({ ...different, isNew: true });
});

test('without an edition before, every record is new', () => {
  const digests = new RecordDigests();
  expect(digests.compare(1, digest('a'))).toEqual({ isNew: true, isSame: false, changedAt: null });
});

test('the content hash is of the digests by position and of the description', async () => {
  const { signal } = new AbortController();
  const hashOf = async (edition: number, positions: readonly number[], letters: string, archive = '') => {
    for (const position of positions) {
      const row = { edition, kind: 'person', position, id: position, uuid: `u${position}`, changed_at: null };
      await database()('records').insert({ ...row, digest: digest(letters[position - 1] ?? '') });
    }
    return hashContent(database(), { id: edition, counts }, archive || null, signal);
  };
  const hash = await hashOf(1, [1, 2, 3], 'abc');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashOf(2, [3, 1, 2], 'abc')).toBe(hash);
  expect(await hashOf(3, [1, 2, 3], 'abc', '{}')).not.toBe(hash);
  expect(await hashOf(4, [1, 2, 3], 'abd')).not.toBe(hash);
});
