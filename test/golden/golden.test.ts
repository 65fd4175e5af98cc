import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { needs } from '../support/programs.ts';
import { runGolden } from './run-golden.ts';

const entries = await readdir(import.meta.dirname, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);

/** Programs that shell lines use. */
const IN_SHELL = ['grep', 'sed', 'cmp'];

for (const name of names) {
  const folder = join(import.meta.dirname, name);
  const input = await readFile(join(folder, 'input.yaml'), 'utf8');
  const used = IN_SHELL.some((program) => new RegExp(`\\b${program} `).test(input)) ? IN_SHELL : [];
  const options = { timeout: 180_000, ...needs(...used) };
  test.concurrent(`what the programs say of ${name}`, options, async (context) => {
    const expected = join(folder, 'expected.txt');
    const output = await runGolden(input);
    printChanges(expected, await readFile(expected, 'utf8').catch(() => ''), output);
    await context.expect(output).toMatchFileSnapshot(expected);
  });
}

/** Prints the lines that differ: those that an update writes. */
function printChanges(path: string, before: string, after: string): void {
  if (before === after) return;
  const [old, now] = [before, after].map((text) => text.split('\n'));
  const gone = old?.filter((line) => !now?.includes(line)).map((line) => `- ${line}\n`) ?? [];
  const come = now?.filter((line) => !old?.includes(line)).map((line) => `+ ${line}\n`) ?? [];
  process.stdout.write(`${path}\n${[...gone, ...come].join('')}`);
}
