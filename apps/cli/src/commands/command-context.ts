import type { Readable } from 'node:stream';
import type { Process as AnyProcess } from '@archiefkast/system';

/** The process, as `main.ts` passes it. */
export interface Process extends AnyProcess {
  /** Where messages come from; absent: none do. */
  stdin?: Readable;
  openPage(url: string): Promise<void>;
  /** Sends requests through the proxies of the environment; returns sentences about NO_PROXY. Absent: none is used. @throws Error if a variable is invalid */
  useProxies?(address: string): Promise<string[]>;
}

/** The process, as commands use it: its outputs escape control characters. */
export interface CommandContext extends Omit<Process, 'arguments'> {
  version: string;
  /** The name of the program, for messages. */
  name: string;
}
