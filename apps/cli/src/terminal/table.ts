import { styleText } from 'node:util';
import { printable } from '@archiefkast/system';
import stringWidth from 'string-width';
import type { CommandContext } from '../commands/command-context.ts';

export interface PrintedTable {
  /** On a terminal: few columns, cells of several lines. */
  titles: readonly string[];
  rows: readonly (readonly string[])[];
  /** In a pipe: one value per column. */
  plain: { header: readonly string[]; rows: readonly (readonly string[])[] };
}

/** Prints a table: with borders on a terminal, where its cells are to be printable, else tab-separated. */
export async function printTable(
  { stdout, environment }: CommandContext,
  { titles, rows, plain }: PrintedTable,
): Promise<void> {
  const isPlain = environment['NO_COLOR'] || environment['TERM'] === 'dumb';
  if (!stdout.isTTY) stdout.write([plain.header, ...plain.rows].map(tabbedLine).join(''));
  else {
    const writeRaw = stdout.writeRaw ?? stdout.write;
    writeRaw(await fitTable(titles, rows, stdout.columns ?? 80, !isPlain));
  }
}

function tabbedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => printable(cell.replace(/[\t\n]+/g, ' '))).join('\t')}\n`;
}

/** Characters of a column besides its text: a space on each side and a border. */
const FRAME = 3;

/** Minimum width of the last column, in characters: that of a uuid. */
const LEAST = 36;

/** Draws a table within a width in characters: the cells of the last column are wrapped if it does not fit. */
async function fitTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  color: boolean,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const widths = titles.map((title, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => cellWidth(row[index] ?? ''))),
  );
  const last = widths.pop() ?? 0;
  const left = widths.reduce((space, column) => space - column, width - FRAME * titles.length - 1);
  widths.push(Math.min(last, Math.max(LEAST, left)));
  const table = new Table({
    head: titles.map((title) => (color ? styleText('bold', title, { validateStream: false }) : title)),
    colWidths: widths.map((column) => column + 2),
    wordWrap: true,
    // The default styles of cli-table3 ignore `color`.
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString()}\n`;
}

function cellWidth(cell: string): number {
  return Math.max(...cell.split('\n').map((line) => stringWidth(line)));
}
