import { fileURLToPath } from 'node:url';
import { type Ended, type Running, type Settings, startProcess } from '../support/api-process.ts';

/** The program, as a newcomer starts it. */
export const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));

/** Starts archive-cli. */
export function startCli(args: readonly string[], environment: Settings = {}): Running {
  return startProcess(args, environment, [], ARCHIVE_CLI);
}

/** Runs archive-cli until it ends. */
export function runCli(args: readonly string[], environment: Settings = {}): Promise<Ended> {
  return startCli(args, environment).ended;
}
