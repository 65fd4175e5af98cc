import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { fold } from '../fields/fold.ts';
import { Arrays, ArrayWriter } from '../file/arrays.ts';
import { INDEX_TABLES, orderName } from '../file/index-file.ts';
import { OrderWriter } from './order-writer.ts';

const FEW = Array.from({ length: 200 }, (_, index) => `${'nbzaxm'[index % 6]}${(index * 7919) % 200}`);
/** The last character of the basic plane: before supplementary ones by code point, but after their surrogates. */
const [LAST_OF_PLANE, BEYOND] = ['\ue000', '𐐨'];

/** The names of persons in the written order. */
async function sorted(names: readonly string[]): Promise<string[]> {
  using database = new DatabaseSync(':memory:');
  database.exec(INDEX_TABLES);
  const writer = new OrderWriter(database);
  for (const [row, name] of names.entries()) writer.add('person', { id: row + 1, last_name: name });
  await writer.write(new ArrayWriter(database), async () => {});
  const order = new Arrays(database, 0).words(orderName('name_nl'));
  return Array.from(order, (doc) => names[doc] ?? '');
}

test.each([
  ['few names', FEW],
  ['names beyond the basic plane', [BEYOND, ...FEW, LAST_OF_PLANE]],
  ['more names than are sorted in memory', Array.from({ length: 201 }, () => FEW).flat()],
])('%s are sorted by code point', async (_, names) => {
  const keyOf = (name: string) =>
    Buffer.from(fold(name).replace(/\d+/g, (digits) => digits.padStart(8, '0')));
  const expected = names.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
  expect(await sorted(names)).toEqual(expected);
});

test('numbers in names are sorted by value, names in quotes and brackets before letters', async () => {
  const names = [
    "'t Hart",
    '[NN]',
    '3 Gracieën',
    '12 Apostelen',
    'Amstel',
    'Amstel 3',
    'Amstel 3a',
    'Amstel 120',
  ];
  expect(await sorted(names.toReversed())).toEqual([
    "'t Hart",
    '3 Gracieën',
    '12 Apostelen',
    '[NN]',
    'Amstel',
    'Amstel 3',
    'Amstel 3a',
    'Amstel 120',
  ]);
});

test('ids of all kinds are merged, and equal ones are in the order of the records', async () => {
  using database = new DatabaseSync(':memory:');
  database.exec(INDEX_TABLES);
  const writer = new OrderWriter(database);
  const ids = { person: [2, 3, 9], location: [1, 3, 4], event: [3, 2 ** 40] } as const;
  for (const kind of ['person', 'location', 'event'] as const)
    for (const id of ids[kind]) writer.add(kind, { id });
  await writer.write(new ArrayWriter(database), async () => {});
  const order = new Arrays(database, 0).words(orderName('id'));
  expect(Array.from(order)).toEqual([3, 0, 1, 4, 6, 5, 2, 7]);
});
