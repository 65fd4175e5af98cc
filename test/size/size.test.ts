import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
const MOST = { lines: 100, bytes: 1_000, aim: 0 };

let folder: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const limit = (limits: object) =>
  write('size.json', JSON.stringify({ 'app/src': { ...limits, aim: 4 }, tests: MOST, 'the rest': MOST }));
/** What the program prints: on stdout, or what is wrong. */
const size = (...args: string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args, folder], { encoding: 'utf8' });
  return stdout + stderr;
};

beforeEach(async () => {
  folder = await temporaryFolder();
  write('app/src/main.ts', 'one\ntwo\n');
  write('app/src/page.tsx', 'one\ntwo\nthree without an end');
  write('app/src/main.test.ts', 'one\n');
  write('app/dist/main.js', 'one\n');
});

test('counts lines and bytes of each room, and of tests', () => {
  limit({ lines: 10, bytes: 100 });
  const table = size().replaceAll(/ +/g, ' ');
  expect(table).toContain('\napp/src 5 0 0 0 5 36 2 10 4\n');
  expect(table).toContain('\ntests 1 0 0 0 1 4 1 100 0\n');
});

test('fails with --check where a room has too many lines or bytes, and lowers limits with --lower', () => {
  limit({ lines: 5, bytes: 36 });
  expect(size('--check')).toBe('');
  limit({ lines: 4, bytes: 20_000 });
  expect(size('--check')).toBe('app/src has 5 lines; size.json allows 4: remove some\n');
  limit({ lines: 5, bytes: 35 });
  expect(size('--check')).toBe('app/src has 36 bytes; size.json allows 35: remove some\n');
  limit({ lines: 5, bytes: 20_000 });
  size('--lower');
  const { 'app/src': lowered } = JSON.parse(readFileSync(join(folder, 'size.json'), 'utf8'));
  expect(lowered).toEqual({ lines: 5, bytes: 5_000, aim: 4 });
});
