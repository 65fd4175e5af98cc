import { describe, expect, test } from 'vitest';
import { type CsvRow, readCsv, splitInQuotes } from './csv.ts';

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const rowsOf = (bytes: Uint8Array, size = 7) => Array.fromAsync(readCsv(piecesOf(bytes, size)));

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
      'code page 850',
      Buffer.from('nr;naam\n1;Ren\x82\n2;Zo\x89', 'latin1'),
      'it looks like code page 850, of DOS',
    ],
    ['Mac OS Roman', Buffer.from('nr;naam\n1;Ren\x8e\n2;Zo\x91', 'latin1'), 'it looks like Mac OS Roman'],
    [
      'Windows-1251',
      Buffer.from('nr;naam\n1;\xc0\xed\xed\xe0', 'latin1'),
      'is not UTF-8 text, nor Dutch or English in',
    ],
    [
      'UTF-16 without a mark',
      Buffer.from(text(','), 'utf16le'),
      'looks like UTF-16 without a byte order mark',
    ],
    ['UTF-16 of other letters', Buffer.from('Имя,Анна\n', 'utf16le'), 'looks like UTF-16 without'],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), 'is UTF-32'],
    ['UTF-32, the other way round', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]), 'is UTF-32'],
    ['UTF-16 cut in half', utf16(text(','), [0xff, 0xfe]).subarray(0, -1), 'is not valid UTF-16'],
  ])('%s is rejected with its name', async (_, bytes, message) => {
    await expect(rowsOf(bytes)).rejects.toThrow(message);
  });
});

test.each<[string, string, number, string?]>([
  ['a line in the middle', 'nr,naam\n1,Hélène\n2,\xc9va\n3,Zoë\n', 3],
  ['the first line with a letter', 'nr,naam\r\n1,\xc9va\r\n2,Zoë\r\n', 2],
  ['the end of the last line', 'nr,naam\n1,Zoë\n2,Ren\xe9', 3],
])('a line that is not UTF-8 is named: %s', async (_, text, line) => {
  // A letter of Latin-1 stands for its byte, but for those of Zoë and Hélène.
  const bytes = Buffer.concat(
    text.split(/(Zoë|Hélène)/).map((part, index) => Buffer.from(part, index % 2 === 1 ? 'utf8' : 'latin1')),
  );
  const message = expect.stringMatching(/^is not UTF-8, but other lines are; in Windows-1252 it is "\d,/);
  await expect(rowsOf(bytes, 1 << 20)).rejects.toMatchObject({ line, message });
});

test.each<[string[], [number, number] | undefined]>([
  [
    ['1', '“De sluis', ' oost”', '1650'],
    [1, 2],
  ],
  [
    ['1', '„De sluis', ' oost“'],
    [1, 2],
  ],
  [
    ["'De sluis", " oost'"],
    [0, 1],
  ],
  [
    ['«a', 'b', 'c»'],
    [0, 2],
  ],
  [['“De sluis, oost”', '1650'], undefined],
  [["'s-Gravenhage", "foto's'"], undefined],
  [["'a", "'b'"], undefined],
  [['“De sluis', '1650'], undefined],
])('quotes of other shapes in %j are split as %j', (cells, split) => {
  expect(splitInQuotes(cells)).toEqual(split);
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
    ['spaces around quotes', 'a, "b, c" ,d\r\n "e" , f', rows([1, 'a', 'b, c', 'd'], [2, 'e', ' f'])],
    ['the end of a file of DOS', 'a,b\r\nc,d\r\n\u001a', rows([1, 'a', 'b'], [2, 'c', 'd'])],
    ['the end of a file of DOS in the last row', 'a,b\r\nc,d\u001a', rows([1, 'a', 'b'], [2, 'c', 'd'])],
    ['rows without text', 'a,b\r\n\r\n,\r\nc,', rows([1, 'a', 'b'], [4, 'c', ''])],
  ])('%s', async (_, text, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await rowsOf(Buffer.from(text), size)).toEqual(expected);
  });

  test.each<[string, string, string[][]]>([
    ['are characters', 'a\tb\n"x"\ty\n', [['"x"', 'y']]],
    [
      'of several rows are characters',
      'a\tb\tc\n1\t"x\ty\n2\tz"\tw\n',
      [
        ['1', '"x', 'y'],
        ['2', 'z"', 'w'],
      ],
    ],
    ['within a cell are characters', 'a\tb\n1\tx "y"\n', [['1', 'x "y"']]],
    ['enclose what needs it', 'a\tb\n"x\ny"\t"z ""w"""\n', [['x\ny', 'z "w"']]],
    ['enclose all of a header', '"a"\t"b"\n"x"\ty\n', [['x', 'y']]],
    ['are not closed, but for one', 'a\tb\n"x, y"\t"z\n', [['"x, y"', '"z']]],
  ])('quotes between tabs %s', async (_, text, expected) => {
    for (const size of [1, 1000]) {
      const read = await rowsOf(Buffer.from(text), size);
      expect(read.slice(1).map(({ cells }) => cells)).toEqual(expected);
    }
  });

  test('a quote that is given', async () => {
    const read = (text: string, quote: '"' | "'" | 'none') =>
      Array.fromAsync(readCsv(piecesOf(Buffer.from(text), 3), { quote }), ({ cells }) => cells);
    expect(await read("'a, b','c ''d'", "'")).toEqual([['a, b', "c 'd"]]);
    expect(await read('"a,b"\n', 'none')).toEqual([['"a', 'b"']]);
    expect(await read('a\t"b"\n', '"')).toEqual([['a', 'b']]);
    const rows = [
      ['a', 'b', 'c'],
      ['1', 'x,y\n2,z', 'w'],
    ];
    expect(await read('a,b,c\n1,"x,y\n2,z",w', '"')).toEqual(rows);
  });

  test.each([
    ['1,"x,y\n2,z",w\n', 'has the next row within a text in quotes'],
    ['1,"x,y\n2,z,w\n3,q",w\n', 'has the next 2 rows within a text in quotes'],
    ['1,"a\0",y\n', 'has a NUL character (U+0000) in cell 2'],
  ])('%j is a fault of its line', async (row, reason) => {
    const message = expect.stringContaining(reason);
    await expect(rowsOf(Buffer.from(`a,b,c\n${row}`))).rejects.toMatchObject({ line: 2, message });
  });

  test.each(['"x, y\nz, w",1,2', '1,"x\ny",2', '1,2,"x\ny,z"'])(
    'a text of several lines: %j',
    async (row) => {
      expect(await rowsOf(Buffer.from(`a,b,c\n${row}\n`))).toHaveLength(2);
    },
  );

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

test('a row of up to 16,777,216 characters is read, and a longer one is told by its length', async () => {
  const long = 'a'.repeat(10_000_000);
  for (const cell of [long, `"${long}"`])
    expect((await rowsOf(Buffer.from(`x\r\n${cell}\r\n`), 1 << 16)).at(-1)?.cells[0]).toHaveLength(
      long.length,
    );
  await expect(rowsOf(Buffer.from(`x\r\n${long}${long}`), 1 << 16)).rejects.toMatchObject({
    message: 'starts a row of more than 16,777,216 characters',
    line: 2,
  });
  await expect(rowsOf(Buffer.from(`x\r\n"${long}${long}`), 1 << 16)).rejects.toMatchObject({
    message: 'starts a row with an unclosed quote',
    line: 2,
  });
});

/** The seconds of the processor that some work takes, whatever else runs. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000_000;
}

test('a row of many chunks is read in linear time', async () => {
  const secondsOf = (length: number) =>
    timed(() => rowsOf(Buffer.from(`x\r\n${'a'.repeat(length)}`), 1 << 16));
  await secondsOf(1_000_000);
  expect(await secondsOf(16_000_000)).toBeLessThan(16 * (await secondsOf(2_000_000)) + 0.3);
});

function rows(...all: [number, ...string[]][]): CsvRow[] {
  return all.map(([line, ...cells]) => ({ line, cells }));
}

test('lines that end in CR are counted in linear time', async () => {
  const secondsOf = (end: string) =>
    timed(async () => {
      const rows = await rowsOf(Buffer.from(`a${end}${`1${end}`.repeat(300_000)}`), 1 << 22);
      expect(rows.at(-1)).toEqual({ line: 300_001, cells: ['1'] });
    });
  await secondsOf('\n');
  const usual = await secondsOf('\n');
  expect(await secondsOf('\r')).toBeLessThan(4 * usual + 0.2);
});
