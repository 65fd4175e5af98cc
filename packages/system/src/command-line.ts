import type { Output } from './terminal.ts';

/** The process of a command line program; programs use nothing else of it. */
export interface Process {
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** For data. */
  stdout: Output;
  /** For progress and errors. */
  stderr: Output;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
}

/** Exit codes of every command. */
export const EXIT = {
  /** Success. */
  done: 0,
  /** Failed. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
} as const;

/** The longest time of a timer of Node, in seconds: 24 days. */
export const LONGEST_SECONDS = 2_147_483;

/** The arguments are invalid; the message says what is expected. */
export class UsageError extends Error {
  override name = 'UsageError';
}
