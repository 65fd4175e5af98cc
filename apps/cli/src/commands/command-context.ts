import type { Output } from '@archiefkast/system';
import type { Process as AnyProcess } from '@archiefkast/system/command-line';

/** What `main.ts` hands over. */
export interface Process extends AnyProcess {
  /** Shows an address to the person who sits there. */
  openPage(url: string): Promise<void>;
}

/** What a command is handed. */
export interface CommandContext extends Omit<Process, 'arguments'> {
  /** The standard error as it is, for a progress line; what is written to `stderr` cannot command a terminal. */
  progress: Output;
}
