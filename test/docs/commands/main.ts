import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandsOf, PAGES, type Page, whyNot } from './pages.ts';
import type { Command } from './read-commands.ts';
import { patternOf } from './read-commands.ts';
import { createTerminal } from './terminal.ts';

/**
 * node test/docs/commands/main.ts CLONE [PAGE…]
 *
 * Runs the commands of the documentation in a fresh clone, as a reader types them: in a terminal, with the programs of the PATH. Each
 * has to succeed, and to print what its page shows. Servers use a free port in place of 3000. Prints a line for each command; the last
 * line counts. With pages, only those run, in a clone in which `npm ci` has been run.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [clone, ...chosen] = positionals;
if (clone === undefined) throw new Error('expected the path of a fresh clone');

const checkout = new URL(`file://${clone}/`);
const installed = join(process.env['HOME'] ?? '', 'installed');
const terminal = await createTerminal(clone, {
  ...process.env,
  // The installation of a user who is not root.
  npm_config_prefix: installed,
  // The spinner of npx, which it leaves on a line that it has not begun.
  npm_config_progress: 'false',
  // The packages that npm ci has fetched need not be looked up again.
  npm_config_prefer_offline: 'true',
  PATH: `${join(installed, 'bin')}:${process.env['PATH']}`,
});
let passed = 0;
let failed = 0;

for (const { page, before, installed: isInstalled } of PAGES.filter(isChosen)) {
  if (isInstalled) installNode();
  const commands = commandsOf(checkout, page);
  const prepared = before.map((text) => ({ page, line: 0, text }));
  const isFresh = page === PAGES[0]?.page && chosen.length === 0;
  try {
    for (const command of [...prepared, ...commands]) await run(command, isFresh);
  } finally {
    await terminal.stop();
    // What the last page left, except for what `npm ci` made.
    const kept = ['node_modules', 'dist', '.turbo'].flatMap((name) => ['--exclude', name]);
    execFileSync('git', ['clean', '-fdxq', ...kept], { cwd: clone });
  }
}
print(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function isChosen({ page }: Page): boolean {
  return chosen.length === 0 || chosen.includes(page);
}

async function run(command: Command, isFresh: boolean): Promise<void> {
  const { page, line, text, output } = command;
  const name = `${page}:${line}: ${text}`;
  const reason = whyNot(command);
  if (reason !== undefined) return print(`not run: ${name}: ${reason}`);
  if (text.replace(/\s*#.*/, '') === 'npm ci' && !isFresh) return print(`done before: ${name}`);
  const began = performance.now();
  const { code, printed } = await terminal.type(text);
  const isRight = code === 0 && (output === undefined || patternOf(output).test(printed));
  const seconds = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  if (isRight) {
    passed += 1;
    print(`${seconds}: ${name}`);
  } else {
    failed += 1;
    const expected = output === undefined ? '' : `\nexpected:\n${output}`;
    print(`FAILED: ${name}\nexit code ${code}, printed:\n${printed}${expected}`);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Installs Node 24, from the clone. */
function installNode(): void {
  const path = join(installed, 'bin', 'node');
  mkdirSync(join(installed, 'bin'), { recursive: true });
  try {
    symlinkSync(join(clone ?? '', 'node_modules', 'node', 'bin', 'node'), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
