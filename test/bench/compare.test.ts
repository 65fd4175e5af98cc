import { expect, test } from 'vitest';
import { type Compared, compareToMarkdown, isWorse } from './compare.ts';

const row = (unit: Compared['unit'], before: number[], now: number[]): Compared => ({
  scenario: 'something',
  unit,
  before,
  now,
});

test.for<[Compared['unit'], number[], number[], boolean]>([
  ['requests/s', [100, 110, 120], [97, 98, 99], true],
  ['requests/s', [100, 110, 120], [90, 95, 101], false],
  ['requests/s', [100, 110, 120], [130, 140, 150], false],
  ['seconds', [1, 1.1, 1.2], [1.3, 1.4, 1.5], true],
  ['seconds', [1, 1.1, 1.2], [1.15, 1.4, 1.5], false],
  ['MB', [100, 110], [80, 90], false],
])('%s before %j and now %j: worse is %s', ([unit, before, now, worse]) => {
  expect(isWorse(row(unit, before, now))).toBe(worse);
});

test('a table has both programs, their ratio per round, and marks worse values', () => {
  const compared = [row('seconds', [1, 2, 4], [2, 2, 2]), row('MB', [100, 100, 110], [120, 130, 140])];
  expect(compareToMarkdown('an archive', compared).split('\n')).toEqual([
    '| an archive | unit | before | now | now to before, each round |',
    '|---|---|---|---|---|',
    '| something | seconds | 2.00 (1.00–4.00) | 2.00 | 1.00 (0.50–2.00) |',
    '| something | MB | 100 (100–110) | 130 (120–140) ✗ | 1.27 (1.20–1.30) |',
    '',
  ]);
});
