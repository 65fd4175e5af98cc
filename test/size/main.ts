import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/*
 * npm run size -- [--check] [--lower] [FOLDER]
 *
 * Prints the lines, bytes and files of every room of size.json in FOLDER, by default this checkout. `--check` only says
 * which rooms exceed their limits, and fails if any does. `--lower` lowers the limits of rooms that have become smaller.
 */

/** What is counted, by extension. Other files are prose, pictures and records of an archive. */
const COLUMNS: Readonly<Record<string, 'typescript' | 'scripts' | 'styles' | 'data'>> = {
  ...{ '.ts': 'typescript', '.tsx': 'typescript', '.js': 'scripts', '.mjs': 'scripts', '.cjs': 'scripts' },
  ...{ '.css': 'styles', '.sql': 'data', '.json': 'data', '.csv': 'data', '.tsv': 'data' },
  ...{ '.yaml': 'data', '.yml': 'data' },
};

/** Settings and outputs of tools. */
const NOT_COUNTED = /^(?:package|package-lock|tsconfig.*|turbo|biome|size)\.json$/;
const NOT_ENTERED = new Set(['node_modules', 'dist', '.git', '.turbo']);

/** Limits are multiples of these, so that a mended line rarely needs a new limit. */
const STEP = { lines: 100, bytes: 5_000 };

/** Rooms that are no folder: tests with what they need, and files outside all other rooms. */
const TESTS = 'tests';
const REST = 'the rest';
const IS_TEST = /^test\/|(?:^|\/)testing\/|\.test\.tsx?$/;

const limitsSchema = z.strictObject({
  lines: z.int().min(0).describe('the most lines that it may have'),
  bytes: z.int().min(0).describe('the most bytes that it may have'),
  aim: z.int().min(0).describe('the most lines of TypeScript and scripts that it should have'),
});
const budgetSchema = z.object({ [TESTS]: limitsSchema, [REST]: limitsSchema }).catchall(limitsSchema);
type Budget = Readonly<Record<string, z.infer<typeof limitsSchema>>>;

const NUMBERS = ['typescript', 'scripts', 'styles', 'data', 'lines', 'bytes', 'files'] as const;
type Size = Record<(typeof NUMBERS)[number], number>;

/** Sizes of the rooms of a budget; a file belongs to the deepest folder that is a room. */
function measure(folder: string, rooms: readonly string[]): Map<string, Size> {
  const empty = { typescript: 0, scripts: 0, styles: 0, data: 0, lines: 0, bytes: 0, files: 0 };
  const sizes = new Map(rooms.map((room): [string, Size] => [room, { ...empty }]));
  const deepestFirst = rooms.toSorted((a, b) => b.length - a.length);
  for (const file of listFiles(folder)) {
    const column = COLUMNS[extname(file)];
    const path = relative(folder, file).split(sep).join('/');
    const room = IS_TEST.test(path) ? TESTS : deepestFirst.find((each) => path.startsWith(`${each}/`));
    const size = sizes.get(room ?? REST);
    if (!column || !size) continue;
    const bytes = readFileSync(file);
    const lines = bytes.toString('utf8').split('\n').length - (bytes.at(-1) === 0x0a ? 1 : 0);
    size[column] += lines;
    size.lines += lines;
    size.bytes += bytes.length;
    size.files += 1;
  }
  return sizes;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_ENTERED.has(entry.name) ? [] : listFiles(path);
    return entry.isFile() && !NOT_COUNTED.test(entry.name) ? [path] : [];
  });
}

/** A table of the rooms, with the sum of those that are no tests. */
function describe(budget: Budget, sizes: ReadonlyMap<string, Size>): string {
  const row = (room: string, cells: readonly (string | number)[]) =>
    [room.padEnd(24), ...cells.map((cell) => cell.toLocaleString('en').padStart(10))].join(' ');
  const rows = [...sizes].map(([room, size]) =>
    row(room, [...NUMBERS.map((name) => size[name]), budget[room]?.lines ?? '', budget[room]?.aim ?? '']),
  );
  const sources = [...sizes].filter(([room]) => room !== TESTS);
  const sum = NUMBERS.map((name) => sources.reduce((total, [, size]) => total + size[name], 0));
  return [row('room', [...NUMBERS, 'at most', 'aim']), ...rows, row('all but tests', sum), ''].join('\n');
}

/** Sentences about rooms that exceed their limits. */
function findExcesses(budget: Budget, sizes: ReadonlyMap<string, Size>): string[] {
  return Object.entries(budget).flatMap(([room, limits]) =>
    (['lines', 'bytes'] as const)
      .map((unit) => ({ unit, has: sizes.get(room)?.[unit] ?? 0, limit: limits[unit] }))
      .filter(({ has, limit }) => has > limit)
      .map(({ unit, has, limit }) => `${room} has ${has} ${unit}; size.json allows ${limit}: remove some`),
  );
}

/** The budget with lower limits for rooms that have become smaller. */
function lower(budget: Budget, sizes: ReadonlyMap<string, Size>): Budget {
  const lowered = Object.entries(budget).map(([room, limits]) => {
    const least = (unit: keyof typeof STEP) =>
      Math.min(limits[unit], Math.ceil((sizes.get(room)?.[unit] ?? 0) / STEP[unit]) * STEP[unit]);
    return [room, { ...limits, lines: least('lines'), bytes: least('bytes') }];
  });
  return Object.fromEntries(lowered);
}

/** @returns what is wrong */
function main(folder: string, options: { check?: boolean; lower?: boolean }): string[] {
  const file = join(folder, 'size.json');
  const { data: budget, error } = budgetSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!budget) return [`${file}: ${z.prettifyError(error)}`];
  const sizes = measure(folder, Object.keys(budget));
  if (!options.check) process.stdout.write(describe(budget, sizes));
  if (options.lower) writeFileSync(file, `${JSON.stringify(lower(budget, sizes), undefined, 2)}\n`);
  return options.check ? findExcesses(budget, sizes) : [];
}

const flag = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: flag, lower: flag } });
const wrong = main(positionals[0] ?? '.', values);
for (const sentence of wrong) process.stderr.write(`${sentence}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
