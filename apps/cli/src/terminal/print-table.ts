import { printable } from '@archiefkast/system/printable';
import type { CommandContext } from '../commands/command-context.ts';
import { fitTable, type TableColumn } from './fit-table.ts';

/** A table for terminals and for pipes. */
export interface PrintedTable {
  /** On a terminal: few columns, cells of several lines. */
  columns: readonly TableColumn[];
  rows: readonly (readonly string[])[];
  /** On a narrow terminal. */
  narrow?: { columns: readonly TableColumn[]; rows: readonly (readonly string[])[] };
  /** In a pipe: one value per column. */
  plain: { header: readonly string[]; rows: readonly (readonly string[])[] };
}

/** A terminal with fewer characters is narrow. */
const NARROW = 80;

/** Prints a table: with borders on a terminal, else tab-separated. */
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
