import type { Output } from '@archiefkast/system';

/** What `main.ts` hands over: nothing else of the process is touched. */
export interface Process {
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** For data. */
  stdout: Output;
  /** For talk: progress and errors. */
  stderr: Output;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
  /** Shows an address to the person who sits there. */
  openPage(url: string): Promise<void>;
}

/** What a command is handed. */
export interface CommandContext extends Omit<Process, 'arguments'> {
  /** The standard error as it is, for a progress line; what is written to `stderr` cannot command a terminal. */
  progress: Output;
}

/** The command line asks for something that makes no sense; the message says what was expected. */
export class UsageError extends Error {
  override name = 'UsageError';
}
