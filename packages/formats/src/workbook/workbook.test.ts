import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipWorkbook } from '../../testing/zip-workbook.ts';
import { columnLetters, columnOfCell } from './cells.ts';
import type { Cell } from './read-sheet.ts';
import { openWorkbook } from './read-workbook.ts';
import { type DateSystem, dateOfSerial, isDateFormat } from './workbook-dates.ts';
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

const column = (header: string) => ({ header, type: 'text' as const });

describe('a written workbook', () => {
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

const NOT_STORED = {
  fault: 'contains a formula without a stored value; open the workbook in Excel or LibreOffice, and save it',
};

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
      '<c><f>1+1</f></c><c><f>1+1</f><v></v></c><c><f>1+1</f><v/></c><c t="str"><f>A1</f><v></v></c>',
      [NOT_STORED, NOT_STORED, NOT_STORED, ''],
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
      { formats: ['d\\-m\\-yyyy', '[$-413]d mmmm yyyy;@', '[Red]0.00&quot;d&quot;'], program: 'xl' },
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
  expect(performance.now() - began).toBeLessThan(10_000);
});

const out = 'out of range or before 15 October 1582';

test.each<[number, DateSystem, string | RegExp]>([
  [1, { is1904: false, program: 'xl' }, '1900-01-01'],
  [1, { is1904: false, program: 'Calc' }, '1899-12-31'],
  [
    1,
    { is1904: false },
    /which is 1900-01-01 in Excel, but 1899-12-31 in LibreOffice; write the date as text/,
  ],
  [0, { is1904: false, program: 'xl' }, /not a day of the calendar/],
  [0, { is1904: false, program: 'Calc' }, '1899-12-30'],
  [0, { is1904: false }, /no day in Excel, but 1899-12-30 in LibreOffice/],
  [59, { is1904: false, program: 'xl' }, '1900-02-28'],
  [59, { is1904: false, program: 'Calc' }, '1900-02-27'],
  [60, { is1904: false, program: 'xl' }, /not a day of the calendar/],
  [60, { is1904: false, program: 'Calc' }, '1900-02-28'],
  [61, { is1904: false }, '1900-03-01'],
  [0, { is1904: true }, '1904-01-01'],
  [-1, { is1904: true }, '1903-12-31'],
  [-18_129, { is1904: false }, '1850-05-12'],
  [-115_858, { is1904: false, program: 'Calc' }, '1582-10-15'],
  [-115_859, { is1904: false, program: 'Calc' }, new RegExp(out)],
  [Number.NaN, { is1904: false }, new RegExp(out)],
])('date number %s of %o is %s', (serial, system, date) => {
  const read = dateOfSerial(serial, system);
  if (typeof date === 'string') expect(read).toBe(date);
  else expect(read).toEqual({ fault: expect.stringMatching(date) });
});

/** All days from 15 October 1582 to 31 December 2100. */
function* calendar(): Generator<string> {
  const end = Date.UTC(2101, 0, 1);
  for (let time = Date.UTC(1582, 9, 15); time < end; time += 86_400_000) {
    yield new Date(time).toISOString().slice(0, 10);
  }
}

test('every day that Excel can show is read as that day', () => {
  // Excel numbers the days from 1 January 1900 in order, with one that never was.
  let serial = 0;
  for (const day of calendar()) {
    if (day < '1900-01-01') continue;
    serial += day === '1900-03-01' ? 2 : 1;
    expect(dateOfSerial(serial, { is1904: false, program: 'xl' }), day).toBe(day);
  }
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
