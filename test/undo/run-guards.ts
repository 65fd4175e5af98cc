import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Fault } from './read-faults.ts';

/** Longest time of the tests of one guard: a program with a fault may hang. */
const MINUTES = 5;

/** The outcome of one test. */
export interface TestOutcome {
  file: string;
  /** Its name after those of its suites. */
  name: string;
  status: string;
  /** How it failed, a message each. */
  failures: string[];
}

/**
 * Runs tests of a copy of the checkout, after building what changed in it.
 *
 * @param guards files, and parts of the names of tests in them
 * @param options.bail whether to end with the first test that fails
 * @returns the tests that ran
 * @throws Error with the errors of the compiler, or else the output, if none did; or if they hang
 */
export async function runGuards(
  guards: readonly Fault['guard'][],
  copy: string,
  { bail = false }: { bail?: boolean } = {},
): Promise<TestOutcome[]> {
  const folder = join(copy, 'node_modules/.undo');
  const report = join(folder, 'report.json');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = guards.map(([, name]) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  const files = [...new Set(guards.map(([file]) => join(copy, file)))];
  const output = await runVitest(
    [
      ...files,
      // Its tests are in the project nightly too.
      '--project=!pr',
      ...['--testNamePattern', names, `--bail=${Number(bail)}`],
      ...['--reporter=json', `--outputFile=${report}`],
    ],
    { cwd: copy, temporary: folder, minutes: MINUTES * guards.length },
  );
  const outcomes = existsSync(report) ? readReport(report, copy) : [];
  if (outcomes.length === 0) throw new Error(output.match(/\S+: error TS.*/g)?.join('\n') ?? output.trim());
  return outcomes;
}

async function runVitest(
  arguments_: readonly string[],
  { cwd, temporary, minutes }: { cwd: string; temporary: string; minutes: number },
): Promise<string> {
  // On CI, tests compare the checkout with what it was before.
  const { CI: _, ...env } = process.env;
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...arguments_], {
    cwd,
    env: { ...env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(cwd, 'node_modules/.cache/node-compile') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that servers which a failed test leaves end with it.
    detached: true,
  });
  const endAll = () => endGroup(child.pid);
  process.once('exit', endAll);
  const late = setTimeout(endAll, minutes * 60_000);
  try {
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (child.signalCode) throw new Error(`the tests took more than ${minutes} minutes`);
    return out + errors;
  } finally {
    clearTimeout(late);
    process.off('exit', endAll);
    endAll();
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface Report {
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function readReport(path: string, copy: string): TestOutcome[] {
  const { testResults }: Report = JSON.parse(readFileSync(path, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      file: name.slice(copy.length + 1),
      name: fullName,
      status,
      failures: failureMessages,
    })),
  );
}
