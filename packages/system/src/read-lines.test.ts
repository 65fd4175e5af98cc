import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextLines, type TextLine } from './read-lines.ts';

async function textLinesOf(content: string | Buffer): Promise<TextLine[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'archive-system-'));
  const path = join(folder.path, 'lines');
  await writeFile(path, content);
  return await Array.fromAsync(readTextLines(path));
}

test.each([
  ['', {}],
  ['\n\n \n', {}],
  ['a', { 1: 'a' }],
  ['a\n', { 1: 'a' }],
  ['a\nb', { 1: 'a', 2: 'b' }],
  ['a\r\n\r\nb\r\n', { 1: 'a', 3: 'b' }],
  ['\ufeffa\nb\n', { 1: 'a', 2: 'b' }],
  ['a\u2028b\n', { 1: 'a\u2028b' }],
])('the text lines of %j', async (text, expected) => {
  const lines = await textLinesOf(text);
  expect(Object.fromEntries(lines.map(({ number, text: line }) => [number, line?.trim()]))).toEqual(expected);
});

test('a line and a character may span blocks', async () => {
  const long = 'é🏛'.repeat(200_000);
  expect(await textLinesOf(`x${long}\n${long}\ny`)).toEqual([
    { number: 1, text: `x${long}` },
    { number: 2, text: long },
    { number: 3, text: 'y' },
  ]);
});

test('a line that is not UTF-8 has no text; the next one is read', async () => {
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xc3, 0x28, 0x0a]), Buffer.from('b')]);
  expect(await textLinesOf(bytes)).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: undefined },
    { number: 3, text: 'b' },
  ]);
});
