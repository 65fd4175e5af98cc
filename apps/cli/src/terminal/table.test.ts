import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitTable } from './table.ts';

const COLUMNS = [{ title: 'id' }, { title: 'title', least: 8 }, { title: 'place', least: 8 }];
const ROWS = [
  ['1', 'A title that is rather long for the table that it stands in', 'Den Haag, Nederland'],
  ['2', '永楽通宝, a title in wide characters', ''],
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

test.for([40, 60, 80])('a table that is too wide is fitted to %i characters', async (width) => {
  const table = await fitTable(COLUMNS, ROWS, width, false);
  expect(widths(table)).toEqual([width]);
  expect(table).toContain('│ 1 ');
});

test('a table that fits is not stretched', async () => {
  const table = await fitTable(COLUMNS, ROWS, 400, false);
  expect(table).toContain('A title that is rather long for the table that it stands in');
  expect(widths(table)).toHaveLength(1);
  expect(widths(table)[0]).toBeLessThan(120);
});

test('columns are not narrower than their minimum', async () => {
  expect(widths(await fitTable(COLUMNS, ROWS, 10, false))).toEqual([4 + 2 * (8 + 2) + 4]);
});
