import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowXml, writeZip, zipWorkbook } from '../../testing/zip-workbook.ts';
import { type SheetPlace, WorkbookError } from './parse-xml.ts';
import type { WorkbookLimits } from './read-sheet.ts';
import { openWorkbook } from './read-workbook.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-workbook-limits-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads all rows of a workbook. */
async function read(file: string, limits?: Partial<WorkbookLimits>): Promise<void> {
  const workbook = await openWorkbook(file, limits);
  try {
    for (const { rows } of workbook.sheets) {
      for await (const _ of rows());
    }
  } finally {
    workbook.close();
  }
}

describe('invalid and oversized workbooks are rejected', () => {
  test.each<[string, () => Promise<string>, string, Partial<WorkbookLimits>?]>([
    [
      'a zip file without workbook',
      () => writeZip(join(folder, 'zip.xlsx'), { a: 'b' }),
      'is not a workbook (.xlsx): it has no _rels/.rels',
    ],
    ['broken XML', () => zipWorkbook(join(folder, 'broken.xlsx'), { sheetData: '<a>' }), 'is damaged: '],
    [
      'a DOCTYPE',
      () => writeZip(join(folder, 'type.xlsx'), { '_rels/.rels': '<!DOCTYPE a><Relationships/>' }),
      'has a DOCTYPE in _rels/.rels; expected none',
    ],
    [
      'a long shared text',
      () => zipWorkbook(join(folder, 'text.xlsx'), { sheetData: '', strings: ['<t>a</t>', '<t>abcd</t>'] }),
      'has a text of more than 3 characters; spreadsheets allow 32767 in a cell',
      { cellText: 3 },
    ],
    [
      'many shared texts',
      () => zipWorkbook(join(folder, 'texts.xlsx'), { sheetData: '', strings: ['', '', ''] }),
      'has more than 2 shared texts',
      { cells: 8 },
    ],
    [
      'a long number format',
      () => zipWorkbook(join(folder, 'format.xlsx'), { sheetData: '', formats: ['['.repeat(1_100_000)] }),
      'has a tag, comment or text of more than 1048576 characters in xl/styles.xml',
    ],
    [
      'deep elements',
      () => zipWorkbook(join(folder, 'deep.xlsx'), { sheetData: '<a>'.repeat(65) }),
      'has elements nested deeper than 64 levels in xl/worksheets/one.xml',
    ],
    [
      'many bytes, once unzipped',
      () => zipWorkbook(join(folder, 'bytes.xlsx'), { sheetData: '<row/>'.repeat(200_000) }),
      'is more than 1 MB unzipped; a folder of CSV files has no size limit',
      { bytes: 1_048_576 },
    ],
    [
      'many merged cells',
      () => zipWorkbook(join(folder, 'merged.xlsx'), { sheetData: '<mergeCell ref="A1:B1"/>'.repeat(3) }),
      'has more than 2500 cells in the workbook up to here',
      { cells: 2_500 },
    ],
    [
      'many cells in several sheets',
      () =>
        zipWorkbook(join(folder, 'sheets.xlsx'), { sheetData: rowXml(['a']), sheets: { b: [['c', 'd']] } }),
      'has more than 4 cells in the workbook up to here',
      { cells: 4 },
    ],
    [
      'an invalid row number',
      () => zipWorkbook(join(folder, 'row.xlsx'), { sheetData: '<row r="1048577"/>' }),
      'has a row "1048577"; expected 1 to 1048576',
    ],
    [
      'a truncated part',
      async () => {
        const file = await zipWorkbook(join(folder, 'cut.xlsx'), { sheetData: rowXml(['a']) });
        const bytes = await readFile(file);
        const at = bytes.indexOf('one.xml') + 'one.xml'.length;
        await writeFile(file, bytes.fill(0xff, at, at + 8));
        return file;
      },
      'is damaged: xl/worksheets/one.xml: ',
    ],
  ])('%s', async (_, make, message, limits) => {
    const reading = make().then((file) => read(file, limits));
    await expect(reading).rejects.toThrow(WorkbookError);
    await expect(reading).rejects.toThrow(message);
  });

  test.each<[string, string, SheetPlace, string, Partial<WorkbookLimits>]>([
    [
      'a long cell',
      '<c r="B3" t="str"><v>abcd</v></c>',
      { row: 3, column: 1 },
      'has a text of more than 3 characters',
      { cellText: 3 },
    ],
    [
      'a long sheet',
      '<c><v>1234</v></c>',
      { row: 3, column: 0 },
      'has more than 3 characters in the workbook up to here',
      { text: 3 },
    ],
    [
      'a column out of range',
      '<c r="XFE3"/>',
      { row: 3 },
      'has a cell beyond column XFD, the last column of a sheet',
      {},
    ],
    [
      'many cells',
      '<c r="E3"/>',
      { row: 3, column: 4 },
      'has more than 4 cells in the workbook up to here',
      { cells: 4 },
    ],
  ])('%s is rejected with its row or cell', async (_, cells, place, message, limits) => {
    const file = await zipWorkbook(join(folder, 'place.xlsx'), { sheetData: `<row r="3">${cells}</row>` });
    const reading = read(file, limits);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toMatchObject({ place });
  });
});
