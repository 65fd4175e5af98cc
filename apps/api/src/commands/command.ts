import { opendir, realpath } from 'node:fs/promises';
import type { Process } from '@archiefkast/system';
import { type Config, ConfigError } from '../config.ts';

/** The context of a command; its signal is aborted with a `Stopped`. */
export interface CommandContext extends Pick<Process, 'environment' | 'stdout' | 'stderr' | 'signal'> {
  config: Config;
  /** The name of the program, for messages. */
  name: string;
}

/** The help text of an argument for the bundle that is written. */
export const OUT = 'New folder, or file.xlsx';

/** The help text of a bundle argument. */
export const BUNDLE = 'Folder with .jsonl or .csv files, or a workbook (.xlsx)';

/**
 * Resolves the symbolic links of the media folder.
 *
 * @param name of the setting or option, for the message
 * @throws ConfigError if it is not a readable folder
 */
export async function resolveMediaFolder(folder: string, name = 'MEDIA_DIR'): Promise<string> {
  try {
    const real = await realpath(folder);
    await (await opendir(real)).close();
    return real;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${name}: expected a readable folder, got "${folder}": ${reason}`);
  }
}

/** The stop signals and their exit codes. */
export const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that ends a command. */
export type StopSignal = keyof typeof STOP_SIGNALS;

/** A command ends with an exit code of its own. */
export class ExitError extends Error {
  override name = 'ExitError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** The process received a stop signal. */
export class Stopped extends ExitError {
  override name = 'Stopped';

  constructor(signal: StopSignal) {
    super(STOP_SIGNALS[signal], `stopped by ${signal}`);
  }
}
