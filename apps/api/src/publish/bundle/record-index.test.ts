import { expect, test } from 'vitest';
import { RecordIndex } from './record-index.ts';

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

test('thousands of records are found by id and uuid, also with large and negative ids', () => {
  const index = new RecordIndex();
  const ids = Array.from({ length: 5_000 }, (_, row) => (row % 3 === 0 ? -row - 1 : row * 2 ** 33));
  for (const [row, id] of ids.entries()) {
    const record = { id, uuid: uuidOf(row), published: row % 2 === 0 };
    expect(index.add('person', record, row + 1, row)).toBeUndefined();
  }
  const { byId } = index.kinds.person;
  expect(ids.map((id) => byId.get(id))).toEqual([...ids.keys()]);
  expect([byId.has(1), index.row('person', uuidOf(4_999)), index.row('subject', uuidOf(0))]).toEqual([
    false,
    4_999,
    undefined,
  ]);
  index.rank();
  const served = [...ids.keys()].filter((row) => row % 2 === 0).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
  expect(served.map((row) => index.position('person', uuidOf(row)))).toEqual(served.map((_, at) => at + 1));
  expect(index.position('person', uuidOf(1))).toBe(0);
});

test('after the check, records are found by uuid, and subjects by id', () => {
  const index = new RecordIndex();
  for (const [at, kind] of (['subject', 'location', 'event'] as const).entries()) {
    for (const id of [2, 1]) index.add(kind, { id, uuid: uuidOf(10 * at + id), published: true }, 1, 0);
  }
  index.rank();
  index.release();
  expect([index.position('subject', uuidOf(1)), index.position('location', uuidOf(12))]).toEqual([1, 2]);
  expect([index.row('location', uuidOf(1)), index.row('event', uuidOf(21))]).toEqual([undefined, 1]);
  expect([index.uuidAt('event', 0), index.kinds.event.ids.at(0)]).toEqual([uuidOf(22), 2]);
  expect(index.kinds.subject.byId.get(1)).toBe(1);
});

test('a second record with an id or uuid names the first', () => {
  const index = new RecordIndex();
  index.add('subject', { id: 1, uuid: uuidOf(1), published: true }, 7, 0);
  expect(index.add('subject', { id: 1, uuid: uuidOf(2), published: true }, 8, 0)).toEqual({
    field: 'id',
    kind: 'subject',
    line: 7,
  });
  expect(index.add('event', { id: 1, uuid: uuidOf(1), published: true }, 9, 0)).toEqual({
    field: 'uuid',
    kind: 'subject',
    line: 7,
  });
});
