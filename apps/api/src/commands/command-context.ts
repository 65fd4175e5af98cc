import type { Process } from '@archiefkast/system/command-line';
import type { Config } from '../config.ts';

/** What a command is handed; its signal is aborted with a `Stopped`. */
export interface CommandContext extends Pick<Process, 'stdout' | 'stderr' | 'signal'> {
  config: Config;
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
