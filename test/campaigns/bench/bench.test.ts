import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROWS } from '../../bench/rows.ts';
import { needs } from '../../support/programs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MINUTES = 10;
const PYTHON = '/usr/lib/python3/dist-packages';

/** Runs the benchmark with a small archive. @returns the cells of the lines of its tables */
async function bench(...args: string[]): Promise<string[][]> {
  const small = ['--sizes', '300', '--rounds', '1', '--seconds', '1', '--connections', '4'];
  const { stdout } = await promisify(execFile)(process.execPath, ['test/bench/main.ts', ...small, ...args], {
    cwd: ROOT,
    env: { ...process.env, INIT_CWD: ROOT },
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) => line.slice(2, -2).split(' | '));
}

describe(
  'beside Django',
  needs('mariadbd', 'gunicorn', `${PYTHON}/rest_framework`, `${PYTHON}/MySQLdb`),
  () => {
    test('every row has a value on both engines', { timeout: MINUTES * 60_000 }, async () => {
      const [titles, , ...lines] = await bench();
      expect(titles).toEqual(['what', 'unit', 'sqlite, 300 records', 'mysql, 300 records', 'aim']);
      expect(lines.map(([what, unit]) => `${what}, ${unit}`)).toEqual(
        ROWS.map(({ what, unit }) => `${what}, ${unit}`),
      );
      expect(lines.flatMap(([, , ...values]) => values.slice(0, 2))).toEqual(
        Array(2 * ROWS.length).fill(expect.stringMatching(/^[\d.,]+( ✗)?$/)),
      );
    });
  },
);

test('a comparison of two builds has the values of both', { timeout: MINUTES * 60_000 }, async () => {
  const [titles, , ...lines] = await bench('--against', '.', '--engines', 'sqlite', '--only', 'publish,hot');
  expect(titles).toEqual(['sqlite, 300 records', 'unit', 'before', 'now', 'times as good as before']);
  expect(lines.map(([what]) => what)).toEqual(
    expect.arrayContaining(['first publish', 'hot: events', '304']),
  );
  expect(lines.flatMap(([, , ...values]) => values)).toEqual(
    Array(3 * lines.length).fill(expect.stringMatching(/^[\d.,]+( \(too few rounds\))?$/)),
  );
});

test.each([
  [['--only', 'hot,warm'], '--only: expected some of publish,cold,light,search,hot,harvest, got "warm"'],
  [['--engines', 'oracle'], '--engines: expected some of sqlite,mysql, got "oracle"'],
  [['--seconds', '0'], '--seconds: expected a whole number above 0, got "0"'],
])('%j is rejected', async (args, said) => {
  await expect(bench(...args)).rejects.toThrow(said);
});
