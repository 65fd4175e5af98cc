import type { Output } from '@archiefkast/system';
import { run } from '../src/cli.ts';

/** Exit code and output of archive-cli. */
export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Environment and terminal of archive-cli. */
export interface Surroundings {
  environment?: Readonly<Record<string, string>>;
  /** Width of the terminal in characters; no terminal by default. */
  columns?: number;
}

/** Runs archive-cli inside this process. */
export async function runWith(args: readonly string[], surroundings: Surroundings = {}): Promise<Result> {
  const { environment = {}, columns } = surroundings;
  const said = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    write(text) {
      said[name] += text;
    },
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  });
  const code = await run({
    arguments: args,
    environment,
    stdout: output('stdout'),
    stderr: output('stderr'),
    signal: new AbortController().signal,
    openPage: async () => {},
  });
  return { code, ...said };
}
