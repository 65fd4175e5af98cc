import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fold } from '../fields/fold.ts';
import { ALL_RECORDS, buildSearchIndex, openSearchIndex } from '../index.ts';

const FEW = Array.from({ length: 200 }, (_, index) => `${'nbzaxm'[index % 6]}${(index * 7919) % 200}`);
/** The last character of the basic plane: before supplementary ones by code point, but after their surrogates. */
const [LAST_OF_PLANE, BEYOND] = ['\ue000', '𐐨'];

/** The names of persons in the order of search by name. */
async function sorted(names: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-sort-'));
  const file = join(folder, 'index.sqlite');
  const records = async function* () {
    for (const [row, last_name] of names.entries())
      yield { kind: 'person', record: { id: row + 1, uuid: `person ${row}`, last_name } } as const;
  };
  await buildSearchIndex(file, records());
  const index = await openSearchIndex(file);
  onTestFinished(async () => {
    await index.close();
    await rm(folder, { recursive: true });
  });
  const { hits } = await index.search({ ...ALL_RECORDS, order: 'name_nl' }, 0, names.length);
  return hits.map(({ position }) => names[position - 1] ?? '');
}

test('names are sorted by code point', async () => {
  const names = [BEYOND, ...FEW, LAST_OF_PLANE];
  const keyOf = (name: string) =>
    Buffer.from(fold(name).replace(/\d+/g, (digits) => digits.padStart(8, '0')));
  const expected = names.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
  expect(await sorted(names)).toEqual(expected);
});

test('numbers in names are sorted by value, names in quotes and brackets before letters', async () => {
  const names = [
    "'t Hart",
    '3 Gracieën',
    '12 Apostelen',
    '[NN]',
    'Amstel',
    'Amstel 3',
    'Amstel 3a',
    'Amstel 120',
  ];
  expect(await sorted(names.toReversed())).toEqual(names);
});
