import { expect, test } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { CHUNK_RECORDS, listStored, RecordSet, RecordSetWriter } from './record-set.ts';

const random = createRandom(5);
const list = new Uint16Array(CHUNK_RECORDS);

/** Random records, sparse or dense; the first and the last possible one are often among them. */
function someRecords(): number[] {
  const share = random.pick([0, 0.0001, 0.01, 0.1, 0.5, 0.99]);
  const all = Array.from({ length: CHUNK_RECORDS }, (_, record) => record);
  return all.filter((record) => random.number() < (record % (CHUNK_RECORDS - 1) === 0 ? 0.5 : share));
}

function stored(records: readonly number[]): Uint8Array {
  const writer = new RecordSetWriter();
  for (const record of records) writer.write(record);
  return writer.stored;
}

const setOf = (records: readonly number[]) => new RecordSet().addAll(stored(records));
const listOf = (set: RecordSet) => [...list.subarray(0, set.list(list))];

test('sets are read as they were written, in at most a bit for each record of the chunk', () => {
  for (let round = 0; round < 20; round++) {
    const records = someRecords();
    const bytes = stored(records);
    expect(bytes.length).toBeLessThanOrEqual(1 + CHUNK_RECORDS / 8);
    expect([...list.subarray(0, listStored(bytes, list))]).toEqual(records);
    const set = setOf(records);
    expect(listOf(set)).toEqual(records);
    expect(set.size).toBe(records.length);
    const [one = 0] = records;
    expect([set.has(one), set.has(one ^ 1)]).toEqual([records.includes(one), records.includes(one ^ 1)]);
  }
});

test('sets are joined and intersected', () => {
  for (let round = 0; round < 20; round++) {
    const [one, other] = [someRecords(), someRecords()];
    const [inOne, inOther] = [new Set(one), new Set(other)];
    const all = [...one, ...other.filter((record) => !inOne.has(record))].sort((a, b) => a - b);
    expect(listOf(setOf(one).addAll(stored(other)))).toEqual(all);
    const both = setOf(one);
    both.keepAllIn(setOf(other));
    expect(listOf(both)).toEqual(one.filter((record) => inOther.has(record)));
  }
});

test('a writer starts again after clear', () => {
  const writer = new RecordSetWriter();
  writer.write(7);
  writer.clear();
  expect([writer.isEmpty, writer.stored.length]).toEqual([true, 0]);
  writer.write(0);
  expect([...writer.stored]).toEqual([1]);
});
