import { expect, test } from 'vitest';
import { serve } from '../../testing/serve.ts';
import { createClient } from '../create-client.ts';
import { readChanges } from '../dumps.ts';
import { connect } from '../request/request.ts';

const edition = (id: number) => ({
  id,
  key: `00000000-0000-4000-8000-00000000000${id}`,
  published_at: '2026-11-23T00:00:00.000Z',
});

function feed(removed: number, lines: number, padding = ''): string {
  const header = { since: edition(1), edition: edition(2), language: 'en', added: 0, changed: 0, removed };
  const line = (index: number) => ({
    kind: 'person',
    change: 'removed',
    uuid: `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  });
  const all = [header, ...Array.from({ length: lines }, (_, index) => line(index))];
  return all.map((each) => `${JSON.stringify(each)}${padding}\n`).join('');
}

const LIES: readonly [string, string, string][] = [
  ['more lines than its header says', feed(2, 90_000), 'expected 2 changed records, not '],
  ['fewer lines than its header says', feed(2, 1), 'expected 2 changed records, not 1'],
  [
    'more removed records than there were',
    feed(10, 10),
    'expected at most 5 records added or changed and 9 removed, not 0 and 10',
  ],
  ['more bytes than its records have', feed(2, 2, ' '.repeat(4_000)), 'larger than the limit of 3100 bytes'],
  [
    'a line longer than all its records',
    feed(2, 2, ' '.repeat(90_000)),
    'larger than the limit of 1100 bytes',
  ],
];

test.for(LIES)('a feed with %s is rejected, and little of it is stored', async ([, body, said]) => {
  const baseUrl = await serve((_, response) => response.end(body));
  const taken: unknown[] = [];
  const connection = connect({ baseUrl, retries: 0, signal: AbortSignal.timeout(10_000) });
  const asked = { since: '1', edition: '2', records: 5, removed: 9, bytes: 100 };
  const limits = { ...asked, events: 'full' } as const;
  const feed = readChanges(connection, `${baseUrl}/en/api/changes.jsonl`, limits);
  const reading = async () => {
    for await (const change of feed) taken.push(change);
  };
  await expect(reading()).rejects.toThrow(said);
  expect(taken.length).toBeLessThan(3);
});

test('changed records end at the first one beyond the number in the header', async () => {
  const baseUrl = await serve((_, response) => response.end(feed(2, 90_000)));
  let came = 0;
  const reading = async () => {
    for await (const _ of createClient({ baseUrl }).changedRecords(1)) came += 1;
  };
  await expect(reading()).rejects.toThrow('expected 2 changed records, not 3');
  expect(came).toBe(2);
});
