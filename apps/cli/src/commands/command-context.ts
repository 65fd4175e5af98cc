/** A stream that text is written to. */
export interface Output {
  write(text: string): unknown;
  /** True on a terminal. */
  isTTY?: boolean;
  /** Width in characters, on a terminal. */
  columns?: number;
}

/** What a command is handed by `main.ts`: nothing else of the process is touched. */
export interface CommandContext {
  environment: Readonly<Record<string, string | undefined>>;
  /** For data. */
  stdout: Output;
  /** For talk: progress and errors. */
  stderr: Output;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
}

/** The command line asks for something that makes no sense; the message says what was expected. */
export class UsageError extends Error {
  override name = 'UsageError';
}
