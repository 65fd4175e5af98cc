import { ArchiveError, OptionError, RequestError } from '@archiefkast/client';
import { describeUsageError, messageOf } from '@archiefkast/command-line';
import { isSystemError, UsageError, WriteError } from '@archiefkast/system';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Prints the message of an error; returns the exit code.
 *
 * @throws the error itself if it is a bug
 */
export function explainFailure(error: unknown, { stderr, signal, name }: CommandContext): ExitCode {
  if (signal.aborted) return EXIT.interrupted;
  if (error instanceof UsageError || error instanceof OptionError) {
    stderr.write(describeUsageError(name, error));
    return EXIT.usage;
  }
  stderr.write(`${name}: ${messageOf(error, name)}\n`);
  if (error instanceof RequestError && error.isPassing) {
    const isUnreached = error.reason === 'connection' || error.reason === 'address';
    const what = isUnreached ? 'The server cannot be reached' : 'The request failed';
    stderr.write(`${what}; run the same command again to retry.\n`);
    return EXIT.incomplete;
  }
  // Errors caused by servers or files are expected; any other error is a bug.
  const isExpected = error instanceof ArchiveError || error instanceof WriteError || isSystemError(error);
  if (!isExpected) throw error;
  return EXIT.failed;
}
