import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitTable } from './table.ts';

const TITLES = ['id', 'title and place'];
const ROWS = [
  ['1', 'A title that is rather long for the table that it stands in\nDen Haag, Nederland'],
  ['2', '永楽通宝, a title in wide characters'],
];

function widths(table: string): number[] {
  return [
    ...new Set(
      table
        .trimEnd()
        .split('\n')
        .map((line) => stringWidth(line)),
    ),
  ];
}

test.for([45, 55, 65])('a table that is too wide is fitted to %i characters', async (width) => {
  const table = await fitTable(TITLES, ROWS, width, false);
  expect(widths(table)).toEqual([width]);
  expect(table).toContain('│ 1 ');
});

test('a table that fits is not stretched', async () => {
  const table = await fitTable(TITLES, ROWS, 400, false);
  expect(table).toContain('A title that is rather long for the table that it stands in');
  expect(widths(table)).toHaveLength(1);
  expect(widths(table)[0]).toBeLessThan(120);
});

test('the last column is not narrower than a uuid', async () => {
  expect(widths(await fitTable(TITLES, ROWS, 10, false))).toEqual([1 + (2 + 3) + (36 + 3)]);
});
