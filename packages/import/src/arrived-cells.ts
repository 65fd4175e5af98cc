import type { CellText } from './cell-text.ts';
import type { SourceRow } from './open-sources.ts';

/** A cell of which this matches arrived whole: a bar stands for what did, beside what separates texts. */
const WHOLE = /^[\s,;/]*\|+(?:[\s,;/>\u2013-]*\|+)*[\s,;/]*$/;

/** Which parts of which cells are in the tables. */
export class ArrivedCells {
  readonly #rows = new Map<SourceRow, Map<number, [from: number, to: number][]>>();

  add(row: SourceRow, { parts }: CellText): void {
    const columns = this.#rows.get(row) ?? new Map<number, [number, number][]>();
    this.#rows.set(row, columns);
    for (const { column, from, to } of parts) {
      const known = columns.get(column) ?? [];
      if (!known.some(([start, end]) => start <= from && to <= end))
        columns.set(column, [...known, [from, to]]);
    }
  }

  /** Whether all of a cell is in the tables, but for what separates texts. */
  isWhole(row: SourceRow, column: number): boolean {
    const text = row.cells[column] ?? '';
    const parts = this.#rows.get(row)?.get(column);
    if (!parts) return text === '';
    if (parts.some(([from, to]) => to - from === text.length)) return true;
    const characters = text.replaceAll('|', ';').split('');
    for (const [from, to] of parts) characters.fill('|', from, to);
    return WHOLE.test(characters.join(''));
  }
}
