import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IndexedRecord } from '../build/record-values.ts';
import { buildSearchIndex } from '../build/write-index.ts';
import { parseQuery, SearchBusy, SearchTimeout } from '../index.ts';
import { openSearchIndex } from '../thread/open-index.ts';
import { type SearchIndex, SearchIndexDamaged } from '../thread/search-index.ts';

const WORDS = 'tik tak ';

/** So many that a slow query times out. */
const RECORDS = 80;

/** A slow query, and a fast one. */
const SLOW = parseQuery(`"${WORDS.repeat(8)}"`);
const QUICK = parseQuery('last_name:vos');

async function* records(): AsyncGenerator<IndexedRecord> {
  const record = { content_nl: WORDS.repeat(100_000), last_name: 'Vos' };
  for (let id = 1; id <= RECORDS; id += 1)
    yield { kind: 'person', record: { ...record, id, uuid: `person ${id}` } };
}

describe('the thread of an index', { timeout: 60_000 }, () => {
  let folder: string;
  let file: string;
  const open: SearchIndex[] = [];
  const openIndex = async (options: Parameters<typeof openSearchIndex>[1], path = file) => {
    const index = await openSearchIndex(path, options);
    open.push(index);
    return index;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-thread-'));
    file = join(folder, 'slow.sqlite');
    await buildSearchIndex(file, records());
  });
  afterAll(async () => {
    await Promise.all(open.map((index) => index.close()));
    await rm(folder, { recursive: true, force: true });
  });

  test('stops a query that times out, and executes the next', async () => {
    const index = await openIndex({ timeout: 300 });
    await expect(index.search(SLOW, 0, 10)).rejects.toThrow(SearchTimeout);
    const count = () =>
      index.search(QUICK, 0, 10).then(
        (result) => result.count,
        () => 0,
      );
    await expect.poll(count, { timeout: 20_000 }).toBe(RECORDS);
  });

  test('rejects queries that time out while waiting', async () => {
    const index = await openIndex({ timeout: 300 });
    const slow = expect(index.search(SLOW, 0, 10)).rejects.toThrow(SearchTimeout);
    const started = performance.now();
    const waiting = [1, 2, 3].map(() => index.search(QUICK, 0, 10));
    expect(index.waiting).toBe(3);
    for (const each of waiting) await expect(each).rejects.toThrow(SearchBusy);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(index.waiting).toBe(0);
    await slow;
  });

  test('limits the number of waiting queries', async () => {
    const index = await openIndex({ timeout: 300, mostWaiting: 2 });
    const slow = index.search(SLOW, 0, 10);
    const waiting = [1, 2].map(() => index.search(QUICK, 0, 10));
    await expect(index.search(QUICK, 0, 10)).rejects.toThrow('2 others are waiting');
    expect((await Promise.allSettled([slow, ...waiting])).map(({ status }) => status)).toEqual(
      Array(3).fill('rejected'),
    );
  });

  test('does not start an aborted query', async () => {
    const index = await openIndex({ timeout: 2_000 });
    const left = new AbortController();
    const slow = index.search(SLOW, 0, 10);
    const waiting = index.search(SLOW, 1, 10, left.signal);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(index.waiting).toBe(0);
    await expect(index.search(QUICK, 0, 10, left.signal)).rejects.toThrow('left');
    await slow.catch(() => {});
  });

  test('reports a truncated file as damaged', async () => {
    const cut = join(folder, 'cut.sqlite');
    await copyFile(file, cut);
    const index = await openIndex({ timeout: 5_000 }, cut);
    await truncate(cut, 20_000);
    await expect(index.look((graph) => graph.card('person', RECORDS))).rejects.toThrow(SearchIndexDamaged);
    await expect(index.search(parseQuery('tak'), 0, 10)).rejects.toThrow(SearchIndexDamaged);
  });

  test('reports a replaced file as damaged', async () => {
    const other = join(folder, 'other.sqlite');
    await copyFile(file, other);
    const index = await openIndex({ timeout: 300 }, other);
    await rm(other);
    await writeFile(other, 'not an index');
    // A running thread still has the old file open.
    expect((await index.search(QUICK, 0, 10)).count).toBe(RECORDS);
    await expect(index.search(SLOW, 0, 10)).rejects.toThrow(SearchTimeout);
    await expect
      .poll(() => index.search(QUICK, 0, 10).catch((error) => error), { timeout: 20_000 })
      .toBeInstanceOf(SearchIndexDamaged);
  });
});
