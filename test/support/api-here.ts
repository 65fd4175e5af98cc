import { run } from '@archiefkast/archive-api/dist/cli.js';
import { publishBy, type Settings } from './api-process.ts';
import type { DatabasePlace } from './create-database.ts';

/** How a command of archive-api ended. */
export interface HereResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of archive-api in this process, which is faster than starting one. */
export async function runApiHere(args: readonly string[], settings: Settings = {}): Promise<HereResult> {
  const said = { stdout: '', stderr: '' };
  const code = await run({
    arguments: args,
    environment: settings,
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal: new AbortController().signal,
  });
  return { code, ...said };
}

/** Publishes a bundle in this process. @throws Error with the output of the command if that fails */
export async function publishHere(
  database: DatabasePlace,
  bundle: string,
  args: readonly string[] = [],
): Promise<HereResult> {
  return publishBy(runApiHere, database, bundle, args);
}
