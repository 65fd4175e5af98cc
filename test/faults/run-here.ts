import { run } from '../../apps/cli/src/cli.ts';

/** What archive-cli came to. */
export interface HereResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** What archive-cli is connected to: no terminal without `isTTY`. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  /** Is given the addresses that are opened. */
  opened?: string[];
}

/** Runs archive-cli inside this process, which is quicker than starting one. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { opened = [], ...terminal }: Terminal = {},
): Promise<HereResult> {
  const said = { stdout: '', stderr: '' };
  const code = await run({
    arguments: args,
    environment,
    stdout: { write: (text) => (said.stdout += text), ...terminal },
    stderr: { write: (text) => (said.stderr += text), ...terminal },
    signal: new AbortController().signal,
    openPage: async (url) => void opened.push(url),
  });
  return { code, ...said };
}
