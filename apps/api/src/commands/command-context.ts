import type { Output } from '@archiefkast/system';
import type { Config } from '../config.ts';

/** What a command is handed by `main.ts`: nothing else of the process is touched. */
export interface CommandContext {
  config: Config;
  /** For data. */
  stdout: Output;
  /** For talk: progress and errors. */
  stderr: Output;
  /** Aborted, with a `Stopped`, when the process is asked to stop (SIGTERM, SIGINT). */
  signal: AbortSignal;
}

/** The signals that ask a process to stop, and the exit codes that say so. */
export const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process was asked to stop: the reason with which its signal is aborted. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly exitCode: number;

  constructor(signal: keyof typeof STOP_SIGNALS) {
    super(`stopped by ${signal}`);
    this.exitCode = STOP_SIGNALS[signal];
  }
}
