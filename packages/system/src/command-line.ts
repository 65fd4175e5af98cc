import type { Output } from './progress-line.ts';

/** What the process of a command line hands over: nothing else of it is touched. */
export interface Process {
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** For data. */
  stdout: Output;
  /** For talk: progress and errors. */
  stderr: Output;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
}

/** The exit codes that every command has. */
export const EXIT = {
  /** Done, and complete. */
  done: 0,
  /** Failed. */
  failed: 1,
  /** Wrong use. */
  usage: 2,
} as const;

/** The command line asks for something that makes no sense; the message says what was expected. */
export class UsageError extends Error {
  override name = 'UsageError';
}
