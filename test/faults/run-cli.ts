import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { BARE_ENVIRONMENT } from '../support/api-process.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));

/** How archive-cli ended. */
export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** archive-cli while it runs. */
export interface RunningCli {
  kill(signal: NodeJS.Signals): void;
  ended: Promise<CliResult>;
}

/** The options of a process. */
export interface Surroundings {
  /** Its environment, without that of the tests. */
  environment?: Record<string, string>;
  /** Maximum size of the files it writes, in bytes. */
  largestFile?: number;
}

/** Starts archive-cli. */
export function startCli(args: readonly string[], surroundings: Surroundings = {}): RunningCli {
  const { environment = {}, largestFile } = surroundings;
  const command = [process.execPath, ARCHIVE_CLI, ...args];
  const limit = largestFile === undefined ? 'unlimited' : String(largestFile / 512);
  const child = spawn('/bin/sh', ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', ...command], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    kill: (signal) => child.kill(signal),
    ended: outcomeOf(child),
  };
}

/** How a process ends. */
export async function outcomeOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<CliResult> {
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, stdout, stderr };
}

/** Runs archive-cli until it ends. */
export function runCli(args: readonly string[], surroundings?: Surroundings): Promise<CliResult> {
  return startCli(args, surroundings).ended;
}
