import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLines } from './read-lines.ts';

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-system-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'lines');
  await writeFile(path, content);
  return path;
}

async function linesOf(content: string, from?: number): Promise<[string, number][]> {
  const lines: [string, number][] = [];
  for await (const { bytes, start } of readLines(await fileWith(content), from)) {
    lines.push([bytes.toString(), start]);
  }
  return lines;
}

test('says where each line begins, in bytes', async () => {
  expect(await linesOf('één\n\ntwee\n')).toEqual([
    ['één\n', 0],
    ['\n', 6],
    ['twee\n', 7],
  ]);
});

test('begins where it is told', async () => {
  expect(await linesOf('one\ntwo\n', 4)).toEqual([['two\n', 4]]);
});

test('an end that is cut off comes without its line feed', async () => {
  expect(await linesOf('one\ntw')).toEqual([
    ['one\n', 0],
    ['tw', 4],
  ]);
  expect(await linesOf('')).toEqual([]);
});

test('a line may be longer than what is read at once', async () => {
  const long = `${'x'.repeat(700_000)}\n`;
  expect(await linesOf(`${long}y\n${long}`)).toEqual([
    [long, 0],
    ['y\n', 700_001],
    [long, 700_003],
  ]);
});
