import { FolderError } from '@archiefkast/client/node';
import { KINDS, type Kind } from '@archiefkast/types/kinds';
import { collectChanges } from '../diff/diff-stores.ts';
import { printChanges } from '../diff/print-changes.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { kindsOf, openRecords } from '../records.ts';
import type { CommandContext } from './command-context.ts';
import type { DiffSettings } from './options.ts';

/**
 * `archive-cli diff <old> <new>`: the records that were added, changed and removed between two folders.
 *
 * @throws FolderError if a folder contains no records, or not the same kinds
 */
export async function command(context: CommandContext, settings: DiffSettings): Promise<ExitCode> {
  using before = await openRecords(settings.old);
  using after = await openRecords(settings.new);
  const [old, now] = [before, after].map((store): readonly Kind[] => kindsOf(store));
  for (const kind of KINDS) {
    const [isOld, isNew] = [old?.includes(kind), now?.includes(kind)];
    if (isOld !== isNew)
      throw new FolderError(`${isOld ? settings.new : settings.old} contains no ${kind} records`);
  }
  await printChanges(context, collectChanges(before, after), settings.format);
  return EXIT.done;
}
