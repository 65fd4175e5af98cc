import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import type { ApiServer } from '../support/api-server.ts';
import { ITSELF, startShared } from '../support/api-server.ts';
import { needs } from '../support/programs.ts';

const ROOT = 'http://localhost:3000';
const CLI = /^(?:npx )?archive-cli /;
/** The width of the terminal on which the examples were made. */
const COLUMNS = 100;
const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));

/** An example: a command, and what it prints. */
interface Step {
  command: string;
  output: string;
}

let server: ApiServer;
const folders: string[] = [];
beforeAll(async () => {
  server = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

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

/** Runs the examples of a text one after the other, in a folder of their own. */
async function expectPrinted(steps: readonly Step[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-tour-'));
  folders.push(folder);
  const program = join(folder, 'archive-cli');
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${ARCHIVE_CLI} "$@"\n`);
  await chmod(program, 0o755);
  for (const { command, output } of steps) {
    const printed = await run(command.replaceAll(ROOT, server.baseUrl), folder);
    const [, most] = /head -c (\d+)$/.exec(command) ?? [];
    const shown = printed.replaceAll(server.baseUrl, ROOT).slice(0, most ? Number(most) : undefined);
    const text = shown.replaceAll(`${folder}/`, '').replaceAll('\r\n', '\n').trim();
    expect(text, command).toMatch(patternOf(output));
  }
}

const read = (page: string) => readFile(new URL(`../../${page}`, import.meta.url), 'utf8');

describe.each(['README.md', 'docs/api-by-example.md', 'docs/cli.md'])('%s', (page) => {
  test('prints what it shows', { timeout: 120_000, ...needs('curl', 'python3') }, async () => {
    const steps = stepsOf(await read(page));
    expect(steps.length).toBeGreaterThan(3);
    await expectPrinted(steps);
  });
});

test('the README has at most 120 lines', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThanOrEqual(121);
});

test('docs/cli.md has an example of every command', async () => {
  const commands = stepsOf(await read('docs/cli.md')).map(({ command }) => command.split(' ')[1]);
  const every = ['harvest', 'export', 'verify', 'diff', 'stats', 'search', 'show', 'completion'];
  expect(commands).toEqual(expect.arrayContaining(every));
});

/** Runs a command in a folder; returns what a terminal shows. */
async function run(command: string, cwd: string): Promise<string> {
  if (!CLI.test(command) || /[|>]/.test(command)) {
    const env = { ...process.env, PATH: `${cwd}:${process.env['PATH']}`, ARCHIVE_URL: server.baseUrl };
    const whole = command.replace(/head -c \d+$/, 'cat');
    const { stdout } = await promisify(execFile)('sh', ['-c', whole], { cwd, env });
    return stdout;
  }
  const words = command.replace(CLI, '').match(/"[^"]*"|\S+/g) ?? [];
  const args = words.map((word) => word.replace(/^"(.*)"$/, '$1'));
  const inFolder = args.map((arg, index) =>
    index > 0 && (arg === 'harvest' || arg === 'old') ? join(cwd, arg) : arg,
  );
  const isDrawn = args[0] === 'search' || args.includes('--dry-run');
  const terminal = isDrawn ? { isTTY: true, columns: COLUMNS } : {};
  const environment = { NO_COLOR: '1', ARCHIVE_URL: server.baseUrl };
  const { stdout, stderr } = await runHere(inFolder, environment, terminal);
  return stdout + stderr;
}
