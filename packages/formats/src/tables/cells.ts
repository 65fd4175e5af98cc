/** Several values in one cell, joined by `|`; a `|` or `\` in a value has a `\` before it. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

/** The values of a cell, without the spaces around them; empty ones are left out. */
export function splitList(cell: string): string[] {
  const parts = cell.match(/(?:[^\\|]|\\[\s\S]?)+/g) ?? [];
  return parts.map((part) => part.replaceAll(/\\([\\|])/g, '$1').trim()).filter((part) => part !== '');
}

/** Characters (UTF-16 units) that a cell of a spreadsheet holds. */
export const CELL_LIMIT = 32_767;

/** A text in as many pieces as cells take; no character is cut in half. */
function splitLong(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > CELL_LIMIT) {
    const end = start + CELL_LIMIT;
    const isCut = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    pieces.push(text.slice(start, isCut ? end - 1 : end));
    start = isCut ? end - 1 : end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The header of a piece of a column, from 0: `content_nl`, `content_nl+`, `content_nl+2` … */
function pieceHeader(name: string, piece: number): string {
  return piece === 0 ? name : piece === 1 ? `${name}+` : `${name}+${piece}`;
}

/** The column and the piece that a header names. */
export function readPieceHeader(header: string): { name: string; piece: number } {
  const [, name = header, plus, number] = /^(.*?)(\+([2-9]|[1-9]\d+)?)?$/.exec(header) ?? [];
  return { name, piece: plus === undefined ? 0 : number === undefined ? 1 : Number(number) };
}

/** The columns of a table whose texts may be longer than a cell: widened to what the rows that were seen need. */
export class LongColumns {
  readonly #names: readonly string[];
  readonly #pieces: number[];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#pieces = names.map(() => 1);
  }

  /** Looks at a row that will be written. */
  see(cells: readonly string[]): void {
    for (const [column, cell] of cells.entries()) {
      if (cell.length <= CELL_LIMIT) continue;
      this.#pieces[column] = Math.max(this.#pieces[column] ?? 1, splitLong(cell).length);
    }
  }

  /** The headers, each with the number of the column that it is a piece of. */
  headers(): { header: string; column: number }[] {
    return this.#names.flatMap((name, column) =>
      Array.from({ length: this.#pieces[column] ?? 1 }, (_, piece) => ({
        header: pieceHeader(name, piece),
        column,
      })),
    );
  }

  /** The cells of a row, as many as there are headers. */
  spread(cells: readonly string[]): string[] {
    return cells.flatMap((cell, column) => {
      const pieces = splitLong(cell);
      while (pieces.length < (this.#pieces[column] ?? 1)) pieces.push('');
      return pieces;
    });
  }
}

/** A record cannot be written into a table without a loss. */
export class TableError extends Error {
  override name = 'TableError';
}
