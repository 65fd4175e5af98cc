import { ArchiveError, ConnectionError, OptionError, RequestError } from '@archiefkast/client';
import { isSystemError, WriteError } from '@archiefkast/system';
import { UsageError } from '@archiefkast/system/command-line';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { CommandContext } from './command-context.ts';

/** What can go wrong by what is asked, served or written; anything else is a fault of this program. */
const EXPECTED = [ArchiveError, WriteError];

/**
 * Says what went wrong; returns the exit code.
 *
 * @throws the error itself when nobody expected it
 */
export async function explainFailure(error: unknown, { stderr, signal }: CommandContext): Promise<ExitCode> {
  if (signal.aborted) return EXIT.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`archive-cli: ${message}\n`);
  if (error instanceof UsageError || error instanceof OptionError) {
    stderr.write('Run archive-cli --help for what it can do.\n');
    return EXIT.usage;
  }
  if (error instanceof RequestError && error.isPassing) {
    const what = error instanceof ConnectionError ? 'Nothing was reached' : 'Nothing was got';
    stderr.write(`${what}; the same command tries again.\n`);
    return EXIT.incomplete;
  }
  const isExpected = EXPECTED.some((expected) => error instanceof expected) || isSystemError(error);
  if (!isExpected && !(await isTableError(error))) throw error;
  return EXIT.failed;
}

/** Whether records cannot be laid out as tables: what can tell is loaded only where a failure may be one. */
async function isTableError(error: unknown): Promise<boolean> {
  const { TableError } = await import('@archiefkast/formats/cells');
  return error instanceof TableError;
}
