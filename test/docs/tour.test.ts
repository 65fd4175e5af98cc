import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { SAMPLE, serveBundle } from '../faults/serve-sample.ts';
import { temporaryFolder } from '../faults/temporary-folder.ts';

const ROOT = 'http://localhost:3000';
const CLI = 'npx archive-cli ';
/** The width of the terminal on which the tour was made. */
const COLUMNS = 100;

/** A command of the tour, and what follows it. */
interface Step {
  command: string;
  output: string;
}

/** The commands in a text's blocks of code, each after `$ `, with what they print. */
function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/```\n(\$ .*?)```/gs)].map(([, block]) => block ?? '');
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...lines] = step.split('\n');
      return { command, output: lines.join('\n').trim() };
    });
}

/** A pattern of what is printed: a line of `…` stands for any lines, `…` in a line for anything there. */
function patternOf(output: string): RegExp {
  const escaped = output.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = escaped.replace(/^…$/gm, '(?:.*\\n?)*?.*').replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`);
}

test('the tour in the README prints what it shows', { timeout: 120_000 }, async (context) => {
  const readme = await readFile(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
  const tour = readme.split(/^## /m).find((part) => part.startsWith('A quick tour')) ?? '';
  const steps = stepsOf(tour);
  expect(steps.length).toBeGreaterThanOrEqual(5);
  const server = await serveBundle(context, 'sqlite', SAMPLE);
  const folder = await temporaryFolder(context);

  for (const { command, output } of steps) {
    const printed = await run(command.replaceAll(ROOT, server.baseUrl), folder);
    const [, most] = /head -c (\d+)$/.exec(command) ?? [];
    const shown = printed.replaceAll(server.baseUrl, ROOT).slice(0, most ? Number(most) : undefined);
    expect(shown.replaceAll(`${folder}/`, '').trim(), command).toMatch(patternOf(output));
  }
});

/** Runs a command in a folder; returns what a terminal shows. */
async function run(command: string, cwd: string): Promise<string> {
  if (!command.startsWith(CLI)) {
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/head -c \d+$/, 'cat')], {
      cwd,
    });
    return stdout;
  }
  const args = command.slice(CLI.length).split(' ');
  const inFolder = args.map((arg, index) => (index > 0 && arg === 'harvest' ? `${cwd}/harvest` : arg));
  const isDrawn = args[0] === 'search';
  const terminal = isDrawn ? { isTTY: true, columns: COLUMNS } : {};
  const { stdout, stderr } = await runHere(inFolder, { NO_COLOR: '1' }, terminal);
  return stdout + stderr;
}
