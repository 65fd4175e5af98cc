import type { CellText } from './cell-text.ts';
import type { SourceRow } from './source.ts';

/** A cell of which this matches arrived whole: a bar stands for what did, beside what separates texts. */
const WHOLE = /^[\s,;/]*\|+(?:[\s,;/>\u2013-]*\|+)*[\s,;/]*$/;

/** Which parts of which cells are in the tables. */
export class ArrivedCells {
  /** By row and column: the whole cell, as most are, or parts of it. */
  readonly #rows = new Map<SourceRow, (true | [from: number, to: number][])[]>();

  add(row: SourceRow, { parts }: CellText): void {
    const columns = this.#rows.get(row) ?? [];
    this.#rows.set(row, columns);
    for (const { column, from, to } of parts) {
      const known = columns[column] ?? [];
      if (known === true) continue;
      const isWhole = to - from === row.cells[column]?.length;
      columns[column] = isWhole || [...known, [from, to]];
    }
  }

  /** Whether all of a cell is in the tables, but for what separates texts. */
  isWhole(row: SourceRow, column: number): boolean {
    const text = row.cells[column] ?? '';
    const parts = this.#rows.get(row)?.[column];
    if (parts === true || !parts) return parts === true || text === '';
    const characters = text.replaceAll('|', ';').split('');
    for (const [from, to] of parts) characters.fill('|', from, to);
    return WHOLE.test(characters.join(''));
  }
}
