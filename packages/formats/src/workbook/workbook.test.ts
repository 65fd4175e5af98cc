import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipWorkbook } from '../../testing/zip-workbook.ts';
import { type Cell, columnLetters, columnOfCell } from './cells.ts';
import { compileFormat, type DateSystem, dateOfSerial, plainNumber } from './number-formats.ts';
import { openWorkbook } from './read-workbook.ts';
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
  asides: string[];
}

async function read(file: string): Promise<ReadSheetContent[]> {
  const workbook = await openWorkbook(file);
  try {
    const sheets: ReadSheetContent[] = [];
    for (const { name, rows } of workbook.sheets) {
      const asides: string[] = [];
      const read = await Array.fromAsync(rows((what, range) => asides.push(`${what} ${range}`)));
      sheets.push({ name, rows: read, asides });
    }
    return sheets;
  } finally {
    workbook.close();
  }
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
      ['2020-01-01', '1900-01-01', '43831.00d', '1650-01-02'],
      { formats: ['d\\-m\\-yyyy', '[$-413]d mmmm yyyy;@', '[Red]0.00&quot;d&quot;'], program: 'xl' },
    ],
    [
      'dates from 1904',
      '<c s="1"><v>0</v></c>',
      ['1904-01-01'],
      { formats: ['yyyy-mm-dd'], properties: 'date1904="1"' },
    ],
  ])('%s', async (_, row, expected, more) => {
    expect(await cells(row, more)).toEqual(expected);
  });

  test('merged cells, links, comments, drawings, and hidden rows and columns are reported', async () => {
    const sheetData =
      '<cols><col min="2" max="3" hidden="1"/><col min="4" max="4" hidden="0"/></cols><sheetData><row hidden="true"><c><v>1</v></c>' +
      '<c t="str"><f>HYPERLINK("https://a.test/";"a")</f><v>a</v></c></row></sheetData>' +
      '<mergeCells><mergeCell ref="B3:B5"/></mergeCells><hyperlinks><hyperlink ref="A1:A2"/></hyperlinks>';
    const comments =
      '<comments><commentList><comment ref="B1"><text><t>note</t></text></comment></commentList></comments>';
    const shape = (text: string) => `<xdr:sp><xdr:txBody><a:p>${text}</a:p></xdr:txBody></xdr:sp>`;
    const drawing = `<xdr:wsDr xmlns:xdr="d" xmlns:a="m"><xdr:pic/>${shape('<a:t>one</a:t><a:t>two</a:t>')}${shape('')}<xdr:pic/></xdr:wsDr>`;
    const parts = { sheetData, comments, drawing };
    expect(await read(await zipWorkbook(join(folder, 'merged.xlsx'), parts))).toEqual([
      {
        name: 'persons',
        rows: [{ number: 1, cells: ['1', 'a'] }],
        asides: [
          'hidden column B:C',
          'hidden row 1:1',
          'link B1',
          'merged B3:B5',
          'link A1:A2',
          'comment B1',
          'picture ',
          'shape ',
          'picture ',
        ],
      },
    ]);
  });
});

const TENTH = '18384.60416666667';
const NO_YEAR = { fault: expect.stringMatching(/^shows a date without its year, which may be 1950/) };
const LONG = {
  fault: expect.stringMatching(/^contains the number 1.5E\+15, of which only 15 digits are stored/),
};

test.each<[string | number, string, Cell | object]>([
  [17, TENTH, '1950-05'],
  ['mmmm yyyy', TENTH, '1950-05'],
  ['[$-413]mmmm\\ yyyy;@', TENTH, '1950-05'],
  ['yyyy"-"mm', TENTH, '1950-05'],
  ['yyyy', TENTH, '1950'],
  ['dddd d mmmm yyyy', TENTH, '1950-05-01'],
  ['dd/mm/yyyy hh:mm', TENTH, '1950-05-01 14:30'],
  [22, '18384', '1950-05-01'],
  [22, '18383.999999999', '1950-05-01'],
  ['h:mm AM/PM', TENTH, '14:30'],
  ['hh:mm:ss', '0.5', '12:00:00'],
  ['[h]:mm', '1.25', '30:00'],
  [16, TENTH, NO_YEAR],
  ['d-mmm', TENTH, NO_YEAR],
  ['dddd', TENTH, NO_YEAR],
  ['mmmm', TENTH, NO_YEAR],
  ['0000', '12', '0012'],
  ['0000', '123456', '123456'],
  ['"NL-"0000', '12', 'NL-0012'],
  ['"NL-"General', '12.5', 'NL-12.5'],
  ['\\P0', '0', 'P0'],
  ['0000"-"000', '1234567', '1234-567'],
  ['[$€-413] #,##0.00', '1234.5', '€ 1234.50'],
  ['_ "€" * #,##0.00_ ', '12.5', '€ 12.50'],
  ['0.00', '1.1', '1.10'],
  ['0.0', '52.64123', '52.64123'],
  [9, '0.5043', '50.43%'],
  ['0.0%', '0.5', '50.0%'],
  ['0;"min "0;"geen"', '-5', 'min 5'],
  ['0;"min "0;"geen"', '0', 'geen'],
  ['"+"0', '-5', '-+5'],
  ['#,##0', '1234', '1234'],
  ['# ?/?', '0.5', '0.5'],
  ['0.00E+00', '12345', '12345'],
  [0, '9007199254740993', '9007199254740993'],
  [0, '1.5E+15', LONG],
  ['[<100]0;"veel"', '500', { fault: expect.stringMatching(/^has a number format with conditions/) }],
])('the format %s shows %s as %j', (format, stored, shown) => {
  const show = typeof format === 'number' ? compileFormat(format) : compileFormat(164, format);
  expect(show?.(stored, { is1904: false }) ?? plainNumber(stored)).toEqual(shown);
});

test('formats are read in linear time', () => {
  const codes = ['[', '"', '\\', '_', '["', '[a"', '"['].map((piece) => piece.repeat(200_000));
  const began = performance.now();
  expect(codes.map((code) => compileFormat(164, `${code}d`)?.('1', { is1904: true }))).toHaveLength(
    codes.length,
  );
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
