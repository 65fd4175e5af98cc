import type { Process } from '@archiefkast/system/command-line';
import type { Config } from '../config.ts';

/** The context of a command; its signal is aborted with a `Stopped`. */
export interface CommandContext extends Pick<Process, 'stdout' | 'stderr' | 'signal'> {
  config: Config;
}

/** The stop signals and their exit codes. */
export const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process received a stop signal. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly exitCode: number;

  constructor(signal: keyof typeof STOP_SIGNALS) {
    super(`stopped by ${signal}`);
    this.exitCode = STOP_SIGNALS[signal];
  }
}
