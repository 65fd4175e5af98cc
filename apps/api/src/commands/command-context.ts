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
