import { printable } from '@archiefkast/system/printable';
import type { CommandContext } from '../commands/command-context.ts';
import { fitTable, type TableColumn } from './fit-table.ts';

/** A table in the form that suits who reads it. */
export interface PrintedTable {
  /** On a terminal: few columns, cells of several lines. */
  columns: readonly TableColumn[];
  rows: readonly (readonly string[])[];
  /** On a terminal that is too narrow for those. */
  narrow?: { columns: readonly TableColumn[]; rows: readonly (readonly string[])[] };
  /** Into a pipe: every value in a column of its own. */
  plain: { header: readonly string[]; rows: readonly (readonly string[])[] };
}

/** Below this many characters, a table is narrow. */
const NARROW = 80;

/** Prints a table: drawn on a terminal, as tab-separated text into a pipe or a file. */
export async function printTable(
  { stdout, environment }: CommandContext,
  table: PrintedTable,
): Promise<void> {
  if (!stdout.isTTY) {
    stdout.write([table.plain.header, ...table.plain.rows].map(tabbedLine).join(''));
    return;
  }
  const width = stdout.columns ?? NARROW;
  const { columns, rows } = width < NARROW ? (table.narrow ?? table) : table;
  stdout.write(await fitTable(columns, rows, width, !environment['NO_COLOR']));
}

function tabbedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => printable(cell.replace(/[\t\n]+/g, ' '))).join('\t')}\n`;
}
