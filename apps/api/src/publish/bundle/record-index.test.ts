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
