import { FolderError } from '@archiefkast/client/node';
import { csvLine } from '@archiefkast/formats/csv';
import { printable } from '@archiefkast/system';
import { KINDS } from '@archiefkast/types/kinds';
import { type Change, collectChanges } from '../diff/diff-stores.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openRecords } from '../records.ts';
import { printTable, writeData } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import type { DiffSettings } from './options.ts';

/**
 * `archive-cli diff <old> <new>`: the records that were added, changed and removed between two folders.
 *
 * @throws FolderError if a folder contains no records, or not the same kinds
 */
export async function command(context: CommandContext, settings: DiffSettings): Promise<ExitCode> {
  using before = await openRecords(settings.old, context.stderr);
  using after = await openRecords(settings.new, context.stderr);
  for (const kind of KINDS) {
    const [isOld, isNew] = [before, after].map((store) => store.kindWalk(kind) !== undefined);
    if (isOld !== isNew)
      throw new FolderError(`${isOld ? settings.new : settings.old} contains no ${kind} records`);
  }
  await printChanges(context, collectChanges(before, after), settings.format);
  return EXIT.done;
}

/** The other values are printed below the title, so that a table fits 60 characters. */
const TITLES = ['change', 'title, uuid, fields'];

const CSV_HEADER = ['change', 'kind', 'uuid', 'title', 'fields'];

/** Prints changes to stdout, and their number to stderr. */
export async function printChanges(
  context: CommandContext,
  changes: readonly Change[],
  format: DiffSettings['format'],
): Promise<void> {
  const { stdout, stderr } = context;
  if (format === 'json') writeData(stdout, `${JSON.stringify(changes, null, 2)}\n`);
  if (format === 'csv') writeData(stdout, [CSV_HEADER, ...changes.map(csvRow)].map(csvLine).join(''));
  if (format === 'table' && changes.length > 0) {
    await printTable(context, {
      titles: TITLES,
      rows: changes.map(tableRow),
      plain: { header: CSV_HEADER, rows: changes.map(csvRow) },
    });
  }
  const count = (change: Change['change']) => changes.filter((one) => one.change === change).length;
  stderr.write(`${count('added')} added, ${count('changed')} changed, ${count('removed')} removed.\n`);
}

function tableRow({ change, kind, uuid, title, fields }: Change): string[] {
  const lines = [`${printable(title)} (${kind})`, uuid, printable(fields.join(', '))];
  return [change, lines.filter(Boolean).join('\n')];
}

function csvRow({ change, kind, uuid, title, fields }: Change): string[] {
  return [change, kind, uuid, title, fields.join('|')];
}
