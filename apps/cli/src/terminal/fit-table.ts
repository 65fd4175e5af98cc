import { styleText } from 'node:util';
import stringWidth from 'string-width';

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
