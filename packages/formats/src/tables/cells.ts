/** Joins several values in one cell with `|`; a `|` or `\` in a value is escaped with `\`. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

/** Splits a cell into its values: trimmed, without empty ones. */
export function splitList(cell: string): string[] {
  const parts = cell.match(/(?:[^\\|]|\\[\s\S]?)+/g) ?? [];
  return parts.map((part) => part.replaceAll(/\\([\\|])/g, '$1').trim()).filter((part) => part !== '');
}

/** Maximum length of a cell in a spreadsheet, in UTF-16 code units. */
export const CELL_LIMIT = 32_767;

/** Splits a text into pieces that fit in a cell, without splitting a surrogate pair. */
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

/** The header of a piece of a column, by number from 0: `content_nl`, `content_nl+`, `content_nl+2` … */
function pieceHeader(name: string, piece: number): string {
  return piece === 0 ? name : piece === 1 ? `${name}+` : `${name}+${piece}`;
}

/** Parses a header into the name of its column and the number of the piece. */
export function readPieceHeader(header: string): { name: string; piece: number } {
  const [, name = header, plus, number] = /^(.*?)(\+([2-9]|[1-9]\d+)?)?$/.exec(header) ?? [];
  return { name, piece: plus === undefined ? 0 : number === undefined ? 1 : Number(number) };
}

/** The columns of a table, with as many pieces per column as its longest text needs. */
export class LongColumns {
  readonly #names: readonly string[];
  readonly #pieces: number[];

  /** @param optional columns that are left out if all their cells are empty */
  constructor(names: readonly string[], optional: ReadonlySet<string> = new Set()) {
    this.#names = names;
    this.#pieces = names.map((name) => (optional.has(name) ? 0 : 1));
  }

  /** Adds pieces as needed for a row. */
  see(cells: readonly string[]): void {
    for (const [column, cell] of cells.entries()) if (cell !== '') this.use(column, cell);
  }

  /** Adds pieces to a column as needed for a text. */
  use(column: number, cell = ''): void {
    const pieces = cell.length <= CELL_LIMIT ? 1 : splitLong(cell).length;
    this.#pieces[column] = Math.max(this.#pieces[column] ?? 1, pieces);
  }

  /** Whether the column is written. */
  has(column: number): boolean {
    return this.#pieces[column] !== 0;
  }

  /** The headers, each with the index of its column. */
  headers(): { header: string; column: number }[] {
    return this.#names.flatMap((name, column) =>
      Array.from({ length: this.#pieces[column] ?? 1 }, (_, piece) => ({
        header: pieceHeader(name, piece),
        column,
      })),
    );
  }

  /** The cells of a row, one per header. */
  spread(cells: readonly string[]): string[] {
    return cells.flatMap((cell, column) => {
      if (!this.has(column)) return [];
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
