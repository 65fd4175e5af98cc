import { styleText } from 'node:util';
import { printable } from '@archiefkast/system/printable';
import stringWidth from 'string-width';
import type { CommandContext } from '../commands/command-context.ts';

/** A table for terminals and for pipes. */
export interface PrintedTable {
  /** On a terminal: few columns, cells of several lines. */
  columns: readonly TableColumn[];
  rows: readonly (readonly string[])[];
  /** In a pipe: one value per column. */
  plain: { header: readonly string[]; rows: readonly (readonly string[])[] };
}

/** Prints a table: with borders on a terminal, else tab-separated. */
export async function printTable(
  { stdout, environment }: CommandContext,
  { columns, rows, plain }: PrintedTable,
): Promise<void> {
  if (!stdout.isTTY) stdout.write([plain.header, ...plain.rows].map(tabbedLine).join(''));
  else stdout.write(await fitTable(columns, rows, stdout.columns ?? 80, !environment['NO_COLOR']));
}

function tabbedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => printable(cell.replace(/[\t\n]+/g, ' '))).join('\t')}\n`;
}

/** A column of a table. */
export interface TableColumn {
  title: string;
  /**
   * Minimum width in characters: cells are wrapped if the table does not fit. Undefined for a column that is always as
   * wide as its widest cell.
   */
  least?: number;
}

/** Characters of a column besides its text: a space on each side and a border. */
const FRAME = 3;

/**
 * Draws a table within a width: columns that may wrap share the remaining space.
 *
 * @param width in characters
 * @param color whether to use colours
 */
export async function fitTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
  color: boolean,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const widest = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => cellWidth(row[index] ?? ''))),
  );
  const widths = fitWidths(columns, widest, width - FRAME * columns.length - 1);
  const table = new Table({
    head: columns.map(({ title }) => (color ? bold(title) : title)),
    colWidths: widths.map((column) => column + 2),
    wordWrap: true,
    // The default styles of cli-table3 ignore `color`.
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString()}\n`;
}

function bold(text: string): string {
  return styleText('bold', text, { validateStream: false });
}

/** Width of a cell's widest line. */
function cellWidth(cell: string): number {
  return Math.max(...cell.split('\n').map((line) => stringWidth(line)));
}

function fitWidths(columns: readonly TableColumn[], widest: readonly number[], width: number): number[] {
  const widths = [...widest];
  const room = (index: number) => (widths[index] ?? 0) - (columns[index]?.least ?? Number.POSITIVE_INFINITY);
  for (let excess = sum(widths) - width; excess > 0; excess -= 1) {
    const roomiest = widths.map((_, index) => index).toSorted((a, b) => room(b) - room(a))[0] ?? 0;
    if (room(roomiest) <= 0) break;
    widths[roomiest] = (widths[roomiest] ?? 0) - 1;
  }
  return widths;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
