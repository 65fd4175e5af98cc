import type { Output } from './terminal.ts';

/** What `guardOutput` uses of a process. */
type ProcessOutput = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'exitCode'>;

/**
 * The outputs of a program until stdout fails: a reader that has left ends it with 0, in silence; another failure, such as a full
 * disk, with one line and 1. Failures of stderr are ignored, since nothing can be said about them.
 *
 * @param stop called at the failure
 * @returns the outputs, and a function that sets the exit code when the program has run
 */
export function guardOutput(name: string, process: ProcessOutput, stop: () => void) {
  const { stdout, stderr, env } = process;
  let failed: number | undefined;
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (failed !== undefined) return;
    failed = error.code === 'EPIPE' ? 0 : 1;
    process.exitCode = failed;
    if (failed !== 0) stderr.write(`${name}: stdout cannot be written (${error.message})\n`);
    stop();
  });
  const isDumb = env['TERM'] === 'dumb';
  const guarded = (stream: NodeJS.WriteStream): Output => ({
    // The event comes after what is written meanwhile.
    write: (text) => failed === undefined && !stdout.errored && stream.write(text),
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    isDumb,
  });
  return {
    stdout: guarded(stdout),
    stderr: guarded(stderr),
    exit(code: number): void {
      process.exitCode = failed ?? code;
    },
  };
}
