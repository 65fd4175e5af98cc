import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DumpHasher } from './dump-hasher.ts';

const UUID = '0e2a4b66-0000-4000-8000-000000000001';

/** A location that embeds an event, at a base URL. */
const locationAt = (base: string, changes: object = {}) => ({
  id: 1,
  files: [{ url: `${base}/elsewhere.jpg`, path: `${base}/media/a/map.png` }],
  events: [{ id: 7, url: `${base}/en/gebeurtenissen/${UUID}/`, subjects: [], location: `${base}/en/api/x` }],
  subjects: [],
  related_locations: [`${base}/en/api/locations/${UUID}`],
  url: `${base}/en/locaties/${UUID}/`,
  ...changes,
});

const dump = { url: '', records: 0, bytes: 0 };

/** The hasher of records, and what a manifest says of them. */
function hashed(records: readonly object[]) {
  const hasher = new DumpHasher();
  for (const record of records) hasher.add([record], Buffer.from(`${JSON.stringify(record)}\n`));
  return hasher;
}

/** The blocks of records, found by comparing with none. */
function isSame(some: object, other: object): boolean {
  // One record is one block, whose hash is the SHA-256 of the record's.
  const bytes = Buffer.byteLength(JSON.stringify(some)) + 1;
  const hashes = [hashOf(other)];
  return (
    hashed([some]).differences({ ...dump, bytes, blocks: { records: 1_000, sha256: '', hashes } }).length ===
    0
  );
}

/** The hash of a block with one record, which is computed here as docs/api.md has it. */
function hashOf(record: object): string {
  const own = { ...record, events: [] };
  const [event] = 'events' in record && Array.isArray(record.events) ? record.events : [];
  const url = 'url' in record ? String(record.url) : '';
  const base = url.replace(/\/en\/[a-z]+\/[^/]+\/$/, '');
  const short = (value: object) =>
    JSON.stringify(value)
      .replaceAll(`"url":"${base}/en`, '"url":"\u0001/en')
      .replaceAll(`${base}/en/api`, '\u0001/en/api')
      .replaceAll(/"path":"[^"]*\/media\//g, '"path":"/media/');
  const sha = (content: string | Buffer) => createHash('sha256').update(content).digest().subarray(0, 16);
  const chained = sha(Buffer.concat([sha(short(own)), sha(short(event))]));
  return createHash('sha256').update(chained).digest('hex');
}

test('a record has the same hash at every base URL', () => {
  const here = locationAt('https://a.example');
  expect(isSame(here, here)).toBe(true);
  const there = locationAt('https://b.example/base', {
    files: [{ url: 'https://a.example/elsewhere.jpg', path: 'https://b.example/base/media/a/map.png' }],
  });
  expect(hashOf(there)).toBe(hashOf(here));
  expect(isSame(there, here)).toBe(true);
});

test.each([
  ['a field', { id: 2 }],
  ['an address elsewhere', { files: [{ url: 'https://c.example/x', path: null }] }],
  [
    'a file',
    { files: [{ url: 'https://a.example/elsewhere.jpg', path: 'https://a.example/media/b/map.png' }] },
  ],
  ['a link', { related_locations: [] }],
  ['an embedded record', { events: [{ id: 8 }] }],
])('another hash shows that %s differs', (_, changes) => {
  const here = locationAt('https://a.example');
  expect(isSame(locationAt('https://a.example', changes), here)).toBe(false);
});

test('names the blocks that differ, and then how many more', () => {
  const records = Array.from({ length: 7_500 }, (_, index) => ({ id: index, url: '' }));
  const whole = hashed(records);
  const wrong = { ...dump, ...whole.lines(), blocks: { records: 1_000 as const, sha256: '', hashes: [] } };
  expect(whole.differences(wrong)).toEqual([
    'records 1 to 1000 (block 1)',
    'records 1001 to 2000 (block 2)',
    'records 2001 to 3000 (block 3)',
    'records 3001 to 4000 (block 4)',
    'records 4001 to 5000 (block 5)',
    '3 more of 8 blocks',
  ]);
});

test('compares the size where the blocks are the same, and the bytes with a manifest without blocks', () => {
  const hasher = hashed([]);
  const { bytes, sha256 } = hasher.lines();
  const blocks = { records: 1_000 as const, sha256: '', hashes: [] };
  expect(hasher.differences({ ...dump, bytes, blocks })).toEqual([]);
  expect(hasher.differences({ ...dump, bytes: 1, blocks })).toEqual(['the 0 bytes received']);
  expect(hasher.differences({ ...dump, bytes, sha256 })).toEqual([]);
  expect(hasher.differences({ ...dump, bytes, sha256: 'another' })).toEqual(['the 0 bytes received']);
});
