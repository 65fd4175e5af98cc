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

/** Parses a header into the name of its column and the number of the piece. */
export function readPieceHeader(header: string): { name: string; piece: number } {
  const [, name = header, plus, number] = /^(.*?)(\+([2-9]|[1-9]\d+)?)?$/.exec(header) ?? [];
  return { name, piece: plus === undefined ? 0 : number === undefined ? 1 : Number(number) };
}
