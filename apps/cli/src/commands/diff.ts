import { type Change, diffFolders } from '../diff/diff-folders.ts';
import { printChanges } from '../diff/print-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { ReportFormat } from './choices.ts';
import type { CommandContext } from './command-context.ts';

/** Arguments of `archive-cli diff`. */
export interface DiffSettings {
  old: string;
  new: string;
  format: ReportFormat;
}

/** `archive-cli diff <old> <new>`: the records that were added, changed and removed between two folders. */
export async function diffCommand(context: CommandContext, settings: DiffSettings): Promise<ExitCode> {
  await printChanges(context, await collectChanges(settings.old, settings.new), settings.format);
  return EXIT.done;
}

/** Collects the changes between two folders. */
export async function collectChanges(before: string, after: string): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of diffFolders(before, after)) changes.push(change);
  return changes;
}
