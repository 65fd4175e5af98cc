import { csvLine } from '@archiefkast/formats/csv';
import { printable } from '@archiefkast/system/terminal';
import type { CommandContext } from '../commands/command-context.ts';
import type { ReportFormat } from '../commands/options.ts';
import { printTable, writeData } from '../terminal/table.ts';
import type { Change } from './diff-stores.ts';

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
