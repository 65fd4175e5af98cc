import { describe, expect, test } from 'vitest';
import { type CsvRow, readCsv } from './csv.ts';

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function rowsOf(bytes: Uint8Array, size = 7): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of readCsv(piecesOf(bytes, size))) rows.push(row);
  return rows;
}

const utf16 = (text: string, mark: readonly number[]) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), mark[0] === 0xfe ? bytes.swap16() : bytes]);
};

describe('dialects', () => {
  const rows = [
    { line: 1, cells: ['id', 'name_nl'] },
    { line: 2, cells: ['1', 'Oudegracht, Utrecht; één'] },
  ];
  const text = (delimiter: string) => `id${delimiter}name_nl\r\n1${delimiter}"Oudegracht, Utrecht; één"\r\n`;

  test.each([
    ['comma', Buffer.from(text(','))],
    ['semicolon', Buffer.from(text(';'))],
    ['tab', Buffer.from(text('\t'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text(',')}`)],
    ['UTF-16, as Excel writes Unicode text', utf16(text('\t'), [0xff, 0xfe])],
    ['UTF-16, the other way round', utf16(text(','), [0xfe, 0xff])],
  ])('%s', async (_, bytes) => {
    expect(await rowsOf(bytes)).toEqual(rows);
    expect(await rowsOf(bytes, 1 << 20)).toEqual(rows);
  });

  test.each([
    ['Windows-1252', Buffer.from(text(';'), 'latin1'), 'it looks like Windows-1252'],
    [
      'UTF-16 without a mark',
      Buffer.from(text(','), 'utf16le'),
      'looks like UTF-16 without a byte order mark',
    ],
    ['UTF-16 cut in half', utf16(text(','), [0xff, 0xfe]).subarray(0, -1), 'is not valid UTF-16'],
  ])('%s is rejected with its name', async (_, bytes, message) => {
    await expect(rowsOf(bytes)).rejects.toThrow(message);
  });
});

describe('rows', () => {
  test.each<[string, string, CsvRow[]]>([
    ['nothing', '', []],
    [
      'line ends of all kinds, and none at the end',
      'a,b\r\nc\nd\re',
      rows([1, 'a', 'b'], [2, 'c'], [3, 'd'], [4, 'e']),
    ],
    ['line ends in cells', 'a\r\n"b\r\nc\n"\r\nd', rows([1, 'a'], [2, 'b\r\nc\n'], [5, 'd'])],
    ['quotes', '"a""b","""",""\r\nc"d,e', rows([1, 'a"b', '"', ''], [2, 'c"d', 'e'])],
    ['rows without text', 'a,b\r\n\r\n,\r\nc,', rows([1, 'a', 'b'], [4, 'c', ''])],
  ])('%s', async (_, text, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await rowsOf(Buffer.from(text), size)).toEqual(expected);
  });

  test('an unclosed quote, and text after a closing quote', async () => {
    await expect(rowsOf(Buffer.from('a\r\n"b\r\nc'))).rejects.toMatchObject({
      message: 'starts a row with an unclosed quote',
      line: 2,
    });
    await expect(rowsOf(Buffer.from('a\r\nb,"c\r\nd"e'))).rejects.toMatchObject({
      message: 'has text after a closing quote; a quote inside a quoted cell must be doubled',
      line: 3,
    });
  });
});

function rows(...all: [number, ...string[]][]): CsvRow[] {
  return all.map(([line, ...cells]) => ({ line, cells }));
}

test('lines that end in CR are counted in linear time', async () => {
  const secondsOf = async (end: string) => {
    const began = performance.now();
    const rows = await rowsOf(Buffer.from(`a${end}${`1${end}`.repeat(300_000)}`), 1 << 22);
    expect(rows.at(-1)).toEqual({ line: 300_001, cells: ['1'] });
    return (performance.now() - began) / 1_000;
  };
  await secondsOf('\n');
  const usual = await secondsOf('\n');
  expect(await secondsOf('\r')).toBeLessThan(4 * usual + 0.2);
});
