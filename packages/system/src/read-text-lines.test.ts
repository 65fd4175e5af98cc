import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTextLines, type TextLine } from './read-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function linesOf(bytes: string | Buffer): Promise<TextLine[]> {
  const file = join(folder, 'lines');
  await writeFile(file, bytes);
  return await collect(file);
}

async function collect(file: string): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const line of readTextLines(file)) lines.push(line);
  return lines;
}

test.each([
  ['', []],
  ['\n\n \n', []],
  ['a', [[1, 'a']]],
  ['a\n', [[1, 'a']]],
  [
    'a\nb',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'a\r\n\r\nb\r\n',
    [
      [1, 'a'],
      [3, 'b'],
    ],
  ],
  [
    '\ufeffa\nb\n',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  ['a\u2028b\n', [[1, 'a\u2028b']]],
])('%j', async (text, expected) => {
  const lines = await linesOf(text);
  expect(lines.map(({ number, text: line }) => [number, line?.trim()])).toEqual(expected);
});

test('a line and a character may lie across the chunks that are read', async () => {
  const long = 'é🏛'.repeat(200_000);
  expect(await linesOf(`x${long}\n${long}\ny`)).toEqual([
    { number: 1, text: `x${long}` },
    { number: 2, text: long },
    { number: 3, text: 'y' },
  ]);
});

test('a line that is not UTF-8 has no text; the next one is read', async () => {
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xc3, 0x28, 0x0a]), Buffer.from('b')]);
  expect(await linesOf(bytes)).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: undefined },
    { number: 3, text: 'b' },
  ]);
});

test('a file that is not there is an error', async () => {
  await expect(collect(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});
