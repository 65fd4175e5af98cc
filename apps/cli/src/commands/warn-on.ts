import type { CommandContext } from './command-context.ts';

/** Says on the standard error what a file does not hold. */
export function warnOn(stderr: CommandContext['stderr']): (sentence: string) => void {
  return (sentence) => stderr.write(`archive-cli: ${sentence}\n`);
}
