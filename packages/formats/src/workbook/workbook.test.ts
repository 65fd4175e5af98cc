import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipWorkbook } from '../../testing/zip-workbook.ts';
import { columnLetters, columnOfCell } from './cells.ts';
import type { Cell } from './read-sheet.ts';
import { openWorkbook } from './read-workbook.ts';
import { dateOfSerial, isDateFormat } from './workbook-dates.ts';
import type { SheetContent } from './write-workbook.ts';
import { writeWorkbook } from './write-workbook.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-workbook-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, sheets: readonly SheetContent[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, writeWorkbook(sheets));
  return file;
}

interface ReadSheetContent {
  name: string;
  rows: { number: number; cells: Cell[] }[];
  merged: string[];
}

async function read(file: string): Promise<ReadSheetContent[]> {
  const workbook = await openWorkbook(file);
  try {
    const sheets: ReadSheetContent[] = [];
    for (const { name, rows } of workbook.sheets) {
      const merged: string[] = [];
      sheets.push({ name, rows: await collect(rows((range) => merged.push(range))), merged });
    }
    return sheets;
  } finally {
    workbook.close();
  }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const column = (header: string, type: 'text' | 'number' = 'text') => ({ header, type });

describe('a written workbook is read back unchanged', () => {
  const texts = [
    ' spaces ',
    'line\nends\r\nof\rall kinds\t',
    '<b>&amp;"\'</b>',
    '_x000D_ and _x005F_',
    'é€😀\u0085\u2028\ufffe\uffff',
    '=1+1',
    '0123',
    'x'.repeat(32_767),
  ];

  test('texts, numbers in the range of spreadsheets, and empty cells', async () => {
    const rows = [...texts.map((text, id) => [String(id), '', text]), ['9007199254740991', '', '']];
    const file = await write('texts.xlsx', [
      { name: 'persons', columns: [column('id', 'number'), column('_'), column('text')], rows },
      { name: 'Tom & "Jerry"', columns: [column('id')], rows: [] },
    ]);
    const [persons, empty] = await read(file);
    expect(persons?.rows[0]).toEqual({ number: 1, cells: ['id', '_', 'text'] });
    for (const [place, text] of texts.entries()) {
      expect(persons?.rows[place + 1]).toEqual({ number: place + 2, cells: [String(place), '', text] });
    }
    expect(persons?.rows.at(-1)).toEqual({ number: texts.length + 2, cells: ['9007199254740991'] });
    expect(empty).toEqual({ name: 'Tom & "Jerry"', rows: [{ number: 1, cells: ['id'] }], merged: [] });
  });

  test('the same rows give the same bytes, in any time zone', async () => {
    const digest = async () => {
      const hash = createHash('sha256');
      const sheet = { name: 'a', columns: [{ ...column('b'), choices: ['x', 'y'] }], rows: [['x']] };
      for await (const chunk of writeWorkbook([sheet])) hash.update(chunk);
      return hash.digest('hex');
    };
    const zone = process.env['TZ'];
    const here = await digest();
    process.env['TZ'] = 'Pacific/Kiritimati';
    try {
      expect(await digest()).toBe(here);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('an error of the source of rows is thrown', async () => {
    const rows = (async function* () {
      yield ['1'];
      throw new Error('no more rows');
    })();
    await expect(write('failing.xlsx', [{ name: 'a', columns: [column('b')], rows }])).rejects.toThrow(
      'no more rows',
    );
  });
});

describe('workbooks of other programs', () => {
  const cells = async (row: string, more: Partial<Parameters<typeof zipWorkbook>[1]> = {}) => {
    const sheetData = `<sheetData><row r="2">${row}</row></sheetData>`;
    const [sheet] = await read(await zipWorkbook(join(folder, 'other.xlsx'), { sheetData, ...more }));
    return sheet?.rows[0]?.cells;
  };

  test.each<[string, string, Cell[], object?]>([
    [
      'shared texts',
      '<c t="s"><v>1</v></c><c t="s"><v>0</v></c>',
      ['b c', 'a'],
      { strings: ['<t>a</t>', '<r><t>b </t></r><r><t>c</t></r><rPh><t>no</t></rPh>'] },
    ],
    [
      'a missing shared text',
      '<c t="s"><v>7</v></c>',
      [{ fault: 'refers to a shared text that is missing' }],
    ],
    ['numbers', '<c><v>4.294967296E9</v></c><c><v>52.37</v></c><c><v></v></c>', ['4294967296', '52.37', '']],
    [
      'omitted cells',
      '<c r="B2"><v>1</v></c><c r="AA2"><v>2</v></c>',
      ['', '1', ...Array<string>(24).fill(''), '2'],
    ],
    ['booleans', '<c t="b"><v>1</v></c><c t="b"><v>0</v></c>', ['true', 'false']],
    [
      'formulas with stored values',
      '<c><f>1+1</f><v>2</v></c><c t="str"><f>A1</f><v>a_x000D_</v></c>',
      ['2', 'a\r'],
    ],
    [
      'a formula without a stored value',
      '<c><f>1+1</f></c>',
      [
        {
          fault:
            'contains a formula without a stored value; open the workbook in a spreadsheet program and save it',
        },
      ],
    ],
    [
      'an error',
      '<c t="e"><f>X!A1</f><v>#REF!</v></c>',
      [{ fault: 'contains the error #REF! instead of a value' }],
    ],
    [
      'dates',
      '<c s="1"><v>43831</v></c><c s="2"><v>1.75</v></c><c s="3"><v>43831</v></c><c t="d"><v>1650-01-02T00:00:00</v></c>',
      ['2020-01-01', '1900-01-01', '43831', '1650-01-02'],
      { formats: ['d\\-m\\-yyyy', '[$-413]d mmmm yyyy;@', '[Red]0.00&quot;d&quot;'] },
    ],
    [
      'dates from 1904',
      '<c s="1"><v>0</v></c>',
      ['1904-01-01'],
      { formats: ['yyyy'], properties: 'date1904="1"' },
    ],
  ])('%s', async (_, row, expected, more) => {
    expect(await cells(row, more)).toEqual(expected);
  });

  test('merged cells are reported', async () => {
    const sheetData =
      '<sheetData><row><c><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="B3:B5"/></mergeCells>';
    expect(await read(await zipWorkbook(join(folder, 'merged.xlsx'), { sheetData }))).toEqual([
      { name: 'persons', rows: [{ number: 1, cells: ['1'] }], merged: ['B3:B5'] },
    ]);
  });
});

test('date formats are detected in linear time', () => {
  const codes = ['[', '"', '\\', '_', '["', '[a"', '"['].map((piece) => piece.repeat(200_000));
  const began = performance.now();
  expect(codes.map((code) => isDateFormat(164, `${code}d`))).toHaveLength(codes.length);
  expect(performance.now() - began).toBeLessThan(1000);
});

test.each([
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [60, false, undefined],
  [61, false, '1900-03-01'],
  [0, true, '1904-01-01'],
  [-18_129, false, '1850-05-12'],
  [-200_000, false, undefined],
  [Number.NaN, false, undefined],
])('date number %s (1904 system: %s) is %s', (serial, is1904, date) => {
  expect(dateOfSerial(serial, is1904)).toBe(date);
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %s is %s', (place, letters) => {
  expect(columnLetters(place)).toBe(letters);
  expect(columnOfCell(`${letters}12`)).toBe(place);
});
