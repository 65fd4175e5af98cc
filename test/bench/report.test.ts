import { expect, test } from 'vitest';
import { compareToMarkdown, isWorse, Measured, toMarkdown } from './report.ts';
import { ROWS } from './rows.ts';

test('a table has a column for each archive, and marks values that miss their aim', () => {
  const small = new Measured('sqlite', 5000);
  for (const value of [1, 4, 2]) small.add('now', 'unchanged publish', 's', value);
  small.add('now', 'publish of 100 changed, CPU', 'of the first', 0.8);
  const large = new Measured('mysql', 200_000);
  large.add('now', 'unchanged publish', 's', 1.5);
  large.add('now', 'publish of 100 changed, CPU', 'of the first', 0.36);
  large.add('now', 'cold: persons, CPU', 'times Django', 9.9);
  large.add('now', 'start-up', 's', 0.5);
  expect(toMarkdown([small, large]).split('\n')).toEqual([
    '| what | unit | sqlite, 5,000 records | mysql, 200,000 records | aim |',
    '| --- | --- | --- | --- | --- |',
    '| unchanged publish | s | 2.00 (1.00–4.00) ✗ | 1.50 | ≤ 1.5 |',
    '| publish of 100 changed, CPU | of the first | 0.80 | 0.36 ✗ | ≤ 0.35 from 100,000 records |',
    '| start-up | s |  | 0.50 |  |',
    '| cold: persons, CPU | times Django |  | 9.90 ✗ | ≥ 10 |',
    '',
  ]);
});

test('without archives, a table lists what is measured and the aims', () => {
  expect(toMarkdown([]).split('\n')).toHaveLength(ROWS.length + 3);
  expect(toMarkdown([])).toContain('| server: memory | MB | ≤ 420 |\n');
});

test('what has no row cannot be measured', () => {
  const measured = new Measured('sqlite', 5000);
  expect(() => measured.add('now', 'start-up', 'MB', 1)).toThrow('expected a row "start-up" in MB');
});

test('a comparison has the ratio of each round, and marks what is worse', () => {
  const measured = new Measured('sqlite', 5000);
  const rounds = (what: string, unit: 's' | 'requests/s', before: number[], now: number[]) => {
    for (const value of before) measured.add('before', what, unit, value);
    for (const value of now) measured.add('now', what, unit, value);
  };
  rounds('first publish', 's', [1, 2, 1, 2, 1, 2], [2, 4, 2, 4, 2, 4]);
  rounds('start-up', 's', [1, 2, 4], [2, 4, 8]);
  rounds('hot: persons', 'requests/s', [100, 100, 100, 100, 100, 100], [98, 97, 90, 110, 101, 99]);
  expect(compareToMarkdown(measured).split('\n')).toEqual([
    '| sqlite, 5,000 records | unit | before | now | times as good as before |',
    '| --- | --- | --- | --- | --- |',
    '| first publish | s | 2.00 | 4.00 | 0.500 (0.500–0.500) ✗ |',
    '| start-up | s | 2.00 | 4.00 | 0.500 (too few rounds) |',
    '| hot: persons | requests/s | 100 | 99 | 0.990 (0.900–1.100) |',
    '',
  ]);
});

test.each([
  ['a wide interval shows nothing', 1, [0.5, 0.6, 0.7, 0.8, 0.9, 1.01], false],
  ['an interval below 1 shows that it is worse', 1, [0.5, 0.6, 0.7, 0.8, 0.9, 0.99], true],
  ['one below 1 is as good if the row allows for that', 0.97, [0.97, 0.98, 0.98, 0.98, 0.98, 0.99], false],
  ['one below what the row allows is worse', 0.97, [0.9, 0.91, 0.92, 0.93, 0.94, 0.96], true],
  ['five rounds show nothing', 1, [0.5, 0.5, 0.5, 0.5, 0.5], false],
])('%s', (_, noWorse, ratios, worse) => {
  expect(isWorse({ what: '', unit: 's', noWorse }, ratios)).toBe(worse);
});
