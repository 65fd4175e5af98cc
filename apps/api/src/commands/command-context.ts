import type { Config } from '../config.ts';

/** What a command is handed by `main.ts`: nothing else of the process is touched. */
export interface CommandContext {
  config: Config;
  /** For data. */
  stdout: Output;
  /** For talk: progress and errors. */
  stderr: Output;
  /** Resolves when the process is asked to stop (SIGTERM, SIGINT). */
  stopped: Promise<void>;
}

/** A stream that text is written to. */
export interface Output {
  write(text: string): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
}
