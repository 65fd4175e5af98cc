import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-size-'));
  await write('app/src/main.ts', 'one\ntwo\n');
  await write('app/src/deep/page.tsx', 'one\ntwo\nthree without an end');
  await write('app/src/deep/page.css', 'one\n');
  await write('app/src/main.test.ts', 'one\n');
  await write('app/testing/random.ts', 'one\n');
  await write('app/dist/main.js', 'one\n');
  await write('app/package.json', '{}\n');
  await write('app/README.md', 'one\n');
  await write('test/table.json', '{\n}\n');
  await budget({ lines: 10, bytes: 100 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const most = { lines: 100, bytes: 1_000, aim: 0 };
const budget = (limits: object) =>
  write(
    'size.json',
    JSON.stringify({ app: most, 'app/src': { ...limits, aim: 4 }, tests: most, 'the rest': most }),
  );

async function size(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = promisify(execFile)(process.execPath, [PROGRAM, ...args, folder]);
  return await run.then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );
}

/** The cells of a room's row: TypeScript, scripts, styles, data, lines, bytes, files, at most, aim. */
const rowOf = (stdout: string, room: string) =>
  stdout
    .split('\n')
    .find((line) => line.startsWith(`${room} `))
    ?.slice(room.length)
    .trim()
    .split(/ +/);

test('counts lines, bytes and files of each room, and of tests', async () => {
  const { code, stdout } = await size();
  expect(code).toBe(0);
  expect(rowOf(stdout, 'app/src')).toEqual(['5', '0', '1', '0', '6', '40', '3', '10', '4']);
  expect(rowOf(stdout, 'app')).toEqual(['0', '0', '0', '0', '0', '0', '0', '100', '0']);
  expect(rowOf(stdout, 'tests')).toEqual(['2', '0', '0', '2', '4', '12', '3', '100', '0']);
  expect(rowOf(stdout, 'all but tests')).toEqual(['5', '0', '1', '0', '6', '40', '3']);
});

test('fails with --check where a room has too many lines, or too many bytes in fewer lines', async () => {
  expect(await size('--check')).toMatchObject({ code: 0, stdout: '' });
  await budget({ lines: 5, bytes: 100 });
  expect((await size()).code).toBe(0);
  expect(await size('--check')).toMatchObject({
    code: 1,
    stderr: 'app/src has 6 lines; size.json allows 5: remove some\n',
  });
  await budget({ lines: 6, bytes: 39 });
  expect(await size('--check')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^app\/src has 40 bytes; size\.json allows 39:/),
  });
});

test('counts a file outside all rooms', async () => {
  await write('new/program.ts', 'one\n'.repeat(101));
  expect((await size('--check')).stderr).toMatch(/^the rest has 101 lines/);
});

test('lowers limits, and never raises them', async () => {
  await budget({ lines: 5, bytes: 20_000 });
  await size('--lower');
  const { tests, 'app/src': limits } = JSON.parse(await readFile(join(folder, 'size.json'), 'utf8'));
  expect(limits).toEqual({ lines: 5, bytes: 5_000, aim: 4 });
  expect(tests).toEqual(most);
});

test('names what is wrong with size.json', async () => {
  await budget({ lines: 'many', bytes: 1 });
  const { code, stderr } = await size();
  expect(code).toBe(1);
  const path = join(folder, 'size.json');
  expect(stderr).toBe(
    `${path}: ✖ Invalid input: expected number, received string\n  → at ["app/src"].lines\n`,
  );
});
