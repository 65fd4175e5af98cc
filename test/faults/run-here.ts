import type { Readable } from 'node:stream';
import { run } from '../../apps/cli/dist/cli.js';

/** The result of archive-cli. */
export interface HereResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The streams of archive-cli: not a terminal without `isTTY`. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  /** What is sent to the command. */
  stdin?: Readable;
  /** Called with the addresses that are opened. */
  opened?: string[];
}

/** Runs archive-cli in this process, which is faster than starting one. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { opened = [], stdin, ...terminal }: Terminal = {},
): Promise<HereResult> {
  const said = { stdout: '', stderr: '' };
  const code = await run({
    arguments: args,
    environment,
    ...(stdin && { stdin }),
    stdout: { write: (text) => (said.stdout += text), ...terminal },
    stderr: { write: (text) => (said.stderr += text), ...terminal },
    signal: new AbortController().signal,
    openPage: async (url) => void opened.push(url),
  });
  return { code, ...said };
}
