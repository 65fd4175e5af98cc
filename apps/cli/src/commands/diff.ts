import { FolderError } from '@archiefkast/client/node';
import { defineCommand, required, text } from '@archiefkast/command-line';
import { csvLine } from '@archiefkast/formats/write-csv';
import { printable } from '@archiefkast/system';
import { KINDS } from '@archiefkast/types/kinds';
import { type Change, collectChanges } from '../diff/diff-stores.ts';
import { EXIT } from '../exit-code.ts';
import { openRecords } from '../open-records.ts';
import { printTable } from '../terminal/table.ts';
import type { CommandContext } from './command-context.ts';
import { REPORT_FORMATS, type ReportFormat } from './options.ts';

/**
 * Lists the records that were added, changed and removed between two folders.
 *
 * @throws FolderError if a folder contains no records, or not the same kinds
 */
export const diffCommand = defineCommand({
  options: (yargs) =>
    yargs
      .positional('old', required('Folder of the older harvest'))
      .positional('new', required('Folder of the newer harvest'))
      .option('format', { ...text('Output format'), choices: REPORT_FORMATS, default: 'table' as const }),
  examples: [
    ['diff old harvest', 'Lists what changed since an earlier harvest'],
    ['diff my-archive harvest --format csv', 'Compares a bundle with what was harvested of it'],
  ],
  async run(context: CommandContext, { old, new: latest, format }) {
    using before = await openRecords(old, context);
    using after = await openRecords(latest, context);
    for (const kind of KINDS) {
      const [isOld, isNew] = [before, after].map((store) => store.kindWalk(kind) !== undefined);
      if (isOld !== isNew) throw new FolderError(`${isOld ? latest : old} contains no ${kind} records`);
    }
    await printChanges(context, collectChanges(before, after), format);
    return EXIT.done;
  },
});

/** The other values are printed below the title, so that a table fits 60 characters. */
const TITLES = ['change', 'title, uuid, fields'];

const CSV_HEADER = ['change', 'kind', 'uuid', 'title', 'fields'];

/** Prints changes to stdout, and their number to stderr. */
export async function printChanges(
  context: CommandContext,
  changes: readonly Change[],
  format: ReportFormat,
): Promise<void> {
  const { stdout, stderr } = context;
  if (format === 'json') stdout.write(`${JSON.stringify(changes, null, 2)}\n`);
  if (format === 'csv') stdout.write([CSV_HEADER, ...changes.map(csvRow)].map(csvLine).join(''));
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
  const lines = [`${title} (${kind})`, uuid, fields.join(', ')].map((line) => printable(line));
  return [change, lines.filter(Boolean).join('\n')];
}

function csvRow({ change, kind, uuid, title, fields }: Change): string[] {
  return [change, kind, uuid, title, fields.join('|')];
}
